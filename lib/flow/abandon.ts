import { isSagaboxError, type SagaboxError } from '../core/errors.ts';
import { messageFacts } from '../core/message-logger.ts';
import type { Attempt, Handling } from './attempt.ts';
import { report, reportEvent } from './report.ts';

/** Ends an attempt that failed: nothing of it was committed, or what was committed waits in its outbox record. */
export async function abandon(attempt: Attempt | Handling, error: unknown): Promise<void> {
  const { flow, received } = attempt;
  const handling = 'work' in attempt ? attempt : undefined;
  const saga = handling?.draft?.identity;
  handling?.work.seal();
  handling?.draft?.seal();
  await handling?.work.settle(attempt.signal);
  await handling?.lease?.stopRenewing();
  await handling?.lease?.release();
  if (isConflict(error)) {
    const { operation } = error.facts;
    const facts = messageFacts(flow.endpoint, received, saga);
    await reportEvent(flow.hooks, attempt, { type: 'conflict', operation, ...facts });
  }
  await report(attempt, 'failed', saga, error);
}

function isConflict(error: unknown): error is SagaboxError<'SagaConcurrency'> {
  return isSagaboxError(error) && error.code === 'SagaConcurrency';
}
