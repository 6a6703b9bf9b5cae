import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { MeteredCall } from '../../lib/capacity/measured/recorded-call.ts';
import { requestedStatements } from '../../lib/capacity/measured/requested-statements.ts';
import type { ContentionRound } from '../benchmark/figures.ts';

/**
 * What the calls for these messages took, and how often they were refused. A conflict is a commit that was
 * refused because the saga had another version than was read, or because the lease was lost.
 */
export function countCalls(calls: readonly MeteredCall[], messages: number) {
  const refused = calls.filter(isRefused);
  const lockAttempts = refused.filter(
    ({ input }) => input.ExpressionAttributeValues?.[':lease'] !== undefined,
  );
  const perMessage = (unitsOf: (call: MeteredCall) => number) =>
    calls.reduce((sum, call) => sum + unitsOf(call), 0) / messages;
  return {
    conflicts: refused.length - lockAttempts.length,
    refusedLockAttempts: lockAttempts.length,
    rcuPerMessage: perMessage(({ units }) => units.rcu),
    wcuPerMessage: perMessage(({ units }) => units.wcu),
    refusedWcuPerMessage: perMessage(({ refusedWcu }) => refusedWcu),
    callsPerMessage: calls.length / messages,
  } satisfies Partial<ContentionRound>;
}

/** A batch of statements is answered though some of them are refused. */
function isRefused(call: MeteredCall): boolean {
  const { error } = call;
  const isOfOne =
    error instanceof ConditionalCheckFailedException || error instanceof TransactionCanceledException;
  return isOfOne || requestedStatements(call).some(({ isRefused }) => isRefused);
}
