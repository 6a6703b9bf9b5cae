import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { MeteredCall, RecordedCall } from '../../lib/capacity/measured/recorded-call.ts';

/** What calls took, and how often they were refused. */
export interface CallCounts {
  /**
   * Commits that were refused because the saga was not at the version that was read, or the lease was lost.
   */
  readonly conflicts: number;
  /** Writes that were to take the lease, and did not get it. */
  readonly refusedLockAttempts: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Of the refused calls, by the rules: no engine reports them. */
  readonly refusedWriteUnits: number;
}

export function countCalls(calls: readonly MeteredCall[]): CallCounts {
  const refused = calls.filter(({ error }) => isRefusal(error));
  const lockAttempts = refused.filter(({ input }) => isLockAttempt(input));
  return {
    conflicts: refused.length - lockAttempts.length,
    refusedLockAttempts: lockAttempts.length,
    readUnits: calls.reduce((sum, { units }) => sum + units.rcu, 0),
    writeUnits: calls.reduce((sum, { units }) => sum + units.wcu, 0),
    refusedWriteUnits: calls.reduce((sum, { refusedWcu }) => sum + refusedWcu, 0),
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ConditionalCheckFailedException || error instanceof TransactionCanceledException;
}

function isLockAttempt(input: RecordedCall['input']): boolean {
  return input.ExpressionAttributeValues?.[':lease'] !== undefined;
}
