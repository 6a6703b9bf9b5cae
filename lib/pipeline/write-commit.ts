import type { Attempt } from '../attempt/attempt.ts';
import type { MessageSpan } from '../observe/tracing/message-span.ts';
import type { CommitTerms } from '../outbox/commit/committer.ts';
import type { Commit } from '../outbox/commit.ts';

/**
 * Writes one commit of one or several messages, in the span of the first if there is tracing.
 *
 * @param attempts the attempts at the messages of the commit
 * @throws Error if the delivery of one has ended
 */
export function writeCommit(commit: Commit, attempts: readonly Attempt[]): Promise<void> {
  assertOngoing(attempts);
  const { span } = (attempts[0] as Attempt).delivery;
  return span ? commitInSpan(span, commit, attempts) : commitWithTerms(commit, attempts);
}

function commitInSpan(span: MessageSpan, commit: Commit, attempts: readonly Attempt[]): Promise<void> {
  return span.commit(spansOf(attempts.slice(1)), () => commitWithTerms(commit, attempts));
}

function commitWithTerms(commit: Commit, attempts: readonly Attempt[]): Promise<void> {
  const { flow, delivery, meter } = attempts[0] as Attempt;
  const terms = attempts.length === 1 ? delivery : commonTerms(attempts);
  return flow.ports.committer.commit(commit, meter, terms);
}

function spansOf(attempts: readonly Attempt[]): readonly MessageSpan[] {
  return attempts.flatMap(({ delivery }) => delivery.span ?? []);
}

function commonTerms(attempts: readonly Attempt[]): CommitTerms {
  return {
    isFirstAttempt: attempts.every(({ delivery }) => delivery.isFirstAttempt),
    span: attempts[0]?.delivery.span,
    assertOngoing: () => assertOngoing(attempts),
    onMerge: (outcome, together) => attempts[0]?.delivery.onMerge(outcome, together),
  };
}

export function assertOngoing(attempts: readonly Attempt[]): void {
  for (const { delivery } of attempts) delivery.assertOngoing();
}
