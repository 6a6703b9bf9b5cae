import type { Context as LambdaContext, SQSRecord } from 'aws-lambda';
import type { EnvelopeOptions } from '../core/incoming/envelope.ts';
import type { Commit } from '../core/outbox/commit.ts';
import type { SagaRules } from '../core/saga/define-saga.ts';
import type { Flow, MessageReport } from '../flow/attempt.ts';
import type { RetrySettings } from '../flow/recoverability/policy.ts';
import type { SagaLines } from '../flow/saga/saga-line.ts';
import { type BatchFailureHandling, batchHandler } from '../middleware/batch-handler.ts';
import type { SqsBatchOptions } from '../middleware/options.ts';
import { outboxMiddleware } from '../middleware/outbox-middleware.ts';
import { type Definition, routeMessages } from '../middleware/route-messages.ts';
import { lambdaContext } from './lambda-context.ts';
import { observedCommitter } from './observed-committer.ts';

/** A function of an endpoint under test. */
export interface TestedFunction {
  readonly definitions: readonly Definition[];
  /** Of a saga, or of handlers without one. */
  readonly flowOf: (saga: SagaRules | undefined) => Flow;
  readonly options: EnvelopeOptions &
    Pick<SqsBatchOptions, 'recoverability'> & { readonly context?: Partial<LambdaContext> };
  readonly configureFailures: (retries: RetrySettings) => BatchFailureHandling;
  /** @default - each invocation has its own */
  readonly lines?: SagaLines;
}

/** What an invocation has done, in the order in which it was. */
export interface InvocationEffects {
  /** Of each attempt. */
  readonly reports: readonly MessageReport[];
  readonly commits: readonly Commit[];
}

/** Runs a batch through `sqsBatch` and `sagaOutbox`, on ports in memory and a clock that stands still. */
export async function invokeFunction(
  { definitions, flowOf, options, configureFailures, lines }: TestedFunction,
  records: readonly SQSRecord[],
): Promise<InvocationEffects> {
  const reports: MessageReport[] = [];
  const commits: Commit[] = [];
  const observed = (flow: Flow): Flow => {
    const onMessage: Flow['hooks']['onMessage'] = async (report, ...others) => {
      reports.push(report);
      await flow.hooks.onMessage?.(report, ...others);
    };
    const ports = { ...flow.ports, committer: observedCommitter(flow.ports.committer, commits) };
    return { ...flow, hooks: { ...flow.hooks, onMessage }, ports };
  };
  const { handler } = routeMessages(
    'the test kit',
    definitions,
    (saga) => outboxMiddleware(() => observed(flowOf(saga)), options),
    // The early answer of middy would run on a timer of the process.
    { timeoutEarlyInMillis: 0 },
  );
  const deliver = batchHandler(
    handler,
    { ...options, throwOnFullBatchFailure: false },
    { configure: configureFailures, startTimer: () => () => {}, ...(lines && { lines }) },
  );
  await deliver({ Records: records }, { ...lambdaContext(), ...options.context });
  return { reports, commits };
}
