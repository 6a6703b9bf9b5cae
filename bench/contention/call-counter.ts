import {
  ConditionalCheckFailedException,
  type ConsumedCapacity,
  type DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { itemSize } from 'sagabox';
import { computeUnits } from '../../lib/capacity/measured/computed-units.ts';
import type { RecordedCall } from '../../lib/capacity/measured/recorded-call.ts';
import { SeenItems } from '../../lib/capacity/measured/seen-items.ts';
import { writeUnits } from '../../lib/core/capacity-units.ts';

/** Counts what the requests of several clients cost, and how often they were refused. */
export class CallCounter {
  /** Commits that were refused because the saga was not at the version that was read, or the lease was lost. */
  conflicts = 0;
  /** Writes that were to take the lease, and did not get it. */
  refusedLockAttempts = 0;
  readUnits = 0;
  writeUnits = 0;

  /** Every request counts, those that the SDK sends again by itself too. */
  watch(client: DynamoDBClient): void {
    client.middlewareStack.add(
      (next, context) => async (args) => {
        const operation = (context.commandName ?? '').replace(/Command$/, '');
        const { input } = args;
        try {
          const result = await next(args);
          this.add({ operation, input, output: result.output });
          return result;
        } catch (error) {
          this.add({ operation, input, error });
          throw error;
        }
      },
      { name: 'contentionCalls', step: 'finalizeRequest', priority: 'low' },
    );
  }

  add(call: RecordedCall): void {
    this.readUnits += readUnitsOf(call);
    this.writeUnits += writeUnitsOf(call);
    if (call.error === undefined) return;
    if (call.input.ExpressionAttributeValues?.[':lease'] !== undefined) this.refusedLockAttempts += 1;
    else if (isRefusal(call.error)) this.conflicts += 1;
  }
}

/** By DynamoDB's rules: for an item that a batch of reads does not find, the engine tells nothing. */
export function readUnitsOf(call: RecordedCall): number {
  const isRead = ['GetItem', 'BatchGetItem', 'Query'].includes(call.operation);
  if (!isRead || call.error !== undefined) return 0;
  return computeUnits(call, new SeenItems())?.rcu ?? 0;
}

/** Of a plain call what the engine says; of what it does not tell, or tells wrongly, what DynamoDB's rules say. */
export function writeUnitsOf(call: RecordedCall): number {
  const { operation, output, error } = call;
  if (operation === 'TransactWriteItems') {
    // By the items as they are asked for: one that a transaction updates, deletes or only checks counts as the least that it takes.
    if (error !== undefined && !isRefusal(error)) return 0;
    return computeUnits(call, new SeenItems())?.wcu ?? 0;
  }
  if (operation === 'BatchWriteItem') {
    const consumed: readonly ConsumedCapacity[] = output?.ConsumedCapacity ?? [];
    return consumed.reduce((units, { CapacityUnits = 0 }) => units + CapacityUnits, 0);
  }
  if (!['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation)) return 0;
  if (error === undefined) return output?.ConsumedCapacity?.CapacityUnits ?? 0;
  // A condition that does not hold costs as much as the write of the item that is there.
  if (!(error instanceof ConditionalCheckFailedException)) return 0;
  return writeUnits(error.Item ? itemSize(error.Item) : 0);
}

function isRefusal(error: unknown): boolean {
  return error instanceof ConditionalCheckFailedException || error instanceof TransactionCanceledException;
}
