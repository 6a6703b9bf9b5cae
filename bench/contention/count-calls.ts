import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { itemSize } from 'sagabox';
import type { MeteredCall } from '../../lib/capacity/measured/call-steps.ts';
import { computeUnits } from '../../lib/capacity/measured/computed-units.ts';
import type { RecordedCall } from '../../lib/capacity/measured/recorded-call.ts';
import { SeenItems } from '../../lib/capacity/measured/seen-items.ts';
import { writeUnits } from '../../lib/core/capacity-units.ts';

/** What calls took, and how often they were refused. */
export interface CallCounts {
  /** Commits that were refused because the saga was not at the version that was read, or the lease was lost. */
  readonly conflicts: number;
  /** Writes that were to take the lease, and did not get it. */
  readonly refusedLockAttempts: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** @param calls as a recorder tells them, which prices those that were not refused */
export function countCalls(calls: readonly MeteredCall[]): CallCounts {
  const refused = calls.filter(({ error }) => isRefusal(error));
  const lockAttempts = refused.filter(({ input }) => isLockAttempt(input));
  return {
    conflicts: refused.length - lockAttempts.length,
    refusedLockAttempts: lockAttempts.length,
    readUnits: calls.reduce((sum, { units }) => sum + units.rcu, 0),
    writeUnits: calls.reduce((sum, call) => sum + call.units.wcu + writeUnitsOfRefused(call), 0),
  };
}

/** By DynamoDB's rules, as no engine reports them: a condition that does not hold costs as much as the write. */
function writeUnitsOfRefused(call: RecordedCall): number {
  const { error } = call;
  // By the items as they are asked for: one that a transaction updates, deletes or only checks counts as the least that it takes.
  if (error instanceof TransactionCanceledException) return computeUnits(call, new SeenItems())?.wcu ?? 0;
  if (error instanceof ConditionalCheckFailedException) {
    return writeUnits(error.Item ? itemSize(error.Item) : 0);
  }
  return 0;
}

function isRefusal(error: unknown): boolean {
  return error instanceof ConditionalCheckFailedException || error instanceof TransactionCanceledException;
}

function isLockAttempt(input: RecordedCall['input']): boolean {
  return input.ExpressionAttributeValues?.[':lease'] !== undefined;
}
