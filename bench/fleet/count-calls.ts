import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { MeteredCall } from '../../lib/capacity/measured/recorded-call.ts';
import { requestedStatements } from '../../lib/capacity/measured/requested-statements.ts';

/** Of all messages together where no name says otherwise. */
export interface CallCounts {
  readonly conflicts: number;
  readonly refusedLockAttempts: number;
  readonly rcuPerMessage: number;
  readonly wcuPerMessage: number;
  /** By DynamoDB's rules: no engine reports them. */
  readonly refusedWcuPerMessage: number;
  readonly callsPerMessage: number;
}

/**
 * What the calls for these messages took, and how often they were refused. A conflict is a commit that was
 * refused because the saga had another version than was read, or because the lease was lost.
 */
export function countCalls(calls: readonly MeteredCall[], messages: number): CallCounts {
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
  };
}

/** A batch of statements is answered though some of them are refused. */
function isRefused(call: MeteredCall): boolean {
  const { error } = call;
  const isOfOne =
    error instanceof ConditionalCheckFailedException || error instanceof TransactionCanceledException;
  return isOfOne || requestedStatements(call).some(({ isRefused }) => isRefused);
}
