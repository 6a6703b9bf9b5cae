import type { Context as LambdaContext } from 'aws-lambda';
import { copyOf, type IncomingMessage } from '../core/incoming/message.ts';
import { abandon } from '../flow/abandon.ts';
import { type Flow, type Handling, type MessageReport, startAttempt } from '../flow/attempt.ts';
import type { Delivery } from '../flow/batch/delivery.ts';
import { begin } from '../flow/begin.ts';
import { complete } from '../flow/complete.ts';
import type { MessageHandler } from '../middleware/sqs-batch.ts';
import { lambdaContext } from './lambda-context.ts';

export interface TestedHandler {
  readonly handler: MessageHandler;
  /** Parts of the Lambda context that the test gives. */
  readonly context: Partial<LambdaContext> | undefined;
}

export interface EndedAttempt {
  readonly report: MessageReport;
  /** Nothing when the handler did not run. */
  readonly handling: Handling | undefined;
}

/** One attempt at one message, as `sagaOutbox` makes it; what the handler throws is thrown. */
export async function attemptDelivery(
  flow: Flow,
  tested: TestedHandler,
  received: IncomingMessage,
  delivery: Delivery,
): Promise<EndedAttempt> {
  const reports: MessageReport[] = [];
  const hooks = { ...flow.hooks, onMessage: (report: MessageReport) => void reports.push(report) };
  const attempt = startAttempt({ ...flow, hooks }, received, { delivery });
  const handling = await begin(attempt);
  if (handling) await handle(handling, tested);
  return { report: reports[0] as MessageReport, handling };
}

async function handle(handling: Handling, { handler, context }: TestedHandler): Promise<void> {
  const call = handler as (message: unknown, context: unknown) => unknown;
  const { message, work, draft, logger } = handling;
  try {
    await call(copyOf(message), {
      ...lambdaContext(),
      ...context,
      ...work.context,
      logger,
      signal: new AbortController().signal,
      ...(draft && { saga: draft.saga }),
    });
    await complete(handling);
  } catch (error) {
    await abandon(handling, error);
    throw error;
  }
}
