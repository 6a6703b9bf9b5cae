import type { Attempt, Handling } from './attempt.ts';
import { report } from './report.ts';

/** Ends an attempt that failed: nothing of it was committed, or what was committed waits in its outbox record. */
export async function abandon(attempt: Attempt | Handling, error: unknown): Promise<void> {
  if ('work' in attempt) attempt.work.seal();
  const identity = 'draft' in attempt ? attempt.draft?.identity : undefined;
  await report(attempt, 'failed', identity, error);
}
