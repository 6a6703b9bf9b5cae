import { isSagaboxError, type SagaboxError } from '../core/failures/errors.ts';
import { messageFacts } from '../core/incoming/message-logger.ts';
import type { Attempt, Handling } from './attempt.ts';
import { report, reportEvent } from './report.ts';

/**
 * Ends an attempt that failed: nothing of it was committed, or what was committed waits in its outbox record.
 */
export async function abandon(attempt: Attempt | Handling, error: unknown): Promise<void> {
  const { flow, received } = attempt;
  const handling = 'work' in attempt ? attempt : undefined;
  const saga = handling?.draft?.identity;
  if (handling) await letGo(handling);
  if (isConflict(error)) {
    const { operation } = error.facts;
    const facts = messageFacts(flow.endpoint, received, saga);
    await reportEvent(flow.hooks, attempt, { type: 'conflict', operation, ...facts });
  }
  await report(attempt, 'failed', saga, error);
}

/** Ends what a handler works with: it can change nothing any more, and its lease is given back. */
export async function letGo({ work, draft, lease, signal }: Handling): Promise<void> {
  work.seal();
  draft?.seal();
  await work.settle(signal);
  await lease?.stopRenewing();
  await lease?.release();
}

function isConflict(error: unknown): error is SagaboxError<'SagaConcurrency'> {
  return isSagaboxError(error) && error.code === 'SagaConcurrency';
}
