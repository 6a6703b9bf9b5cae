import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type ConsumedCapacity,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { type Consumer, splitCapacity } from '../../dynamodb/calls/consumed-capacity.ts';
import { callDynamoDB, isThrottling } from '../../dynamodb/calls/service-errors.ts';
import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { reportedUnits, TRANSACTION_FACTOR, writeUnits } from '../../dynamodb/capacity-units.ts';
import { isSagaboxError, SagaboxError } from '../../kernel/errors/errors.ts';
import { cancellationError } from './commit-errors.dynamodb.ts';
import { CommitMerger, type CommitPart } from './commit-merger.ts';
import { keyedPart, type PlannedWrite } from './planned-write.dynamodb.ts';
import { writtenBytes } from './transaction-limits.dynamodb.ts';

const operation = 'TransactWriteItems';

/** A commit that may share a transaction with others. */
export interface TransactionPart extends CommitPart {
  readonly writes: readonly PlannedWrite[];
  readonly commitId: string;
  readonly endpoint: string;
  /** The meters of the messages, each of which pays an equal share of the commit. */
  readonly payers: readonly CapacityMeter[];
}

/** Returns a merger of the commits made in one turn of the event loop: messages of a batch go in step. */
export function newTransactionMerger(client: DynamoDBClient): CommitMerger<TransactionPart> {
  return new CommitMerger({
    waitFor: () => setImmediate(),
    transact: transact.bind(undefined, client),
    isRefusal: isRefusedTransaction,
  });
}

/**
 * @throws TransactionCanceledException, as it is, for several parts: each part that is then written alone
 *   tells whether it is refused
 */
async function transact(client: DynamoDBClient, parts: readonly TransactionPart[]): Promise<void> {
  const [first, ...others] = parts;
  if (first === undefined) return;
  const writes = parts.flatMap((part) => part.writes);
  const command = new TransactWriteItemsCommand({
    TransactItems: writes.map(({ item }): TransactWriteItem => item),
    // The token makes the SDK's own retries harmless for ten minutes. It stands for one set of writes: that
    // of a shared transaction must differ from those of its parts, which may be written alone afterwards.
    ClientRequestToken: others.length === 0 ? first.commitId : randomUUID(),
    ReturnConsumedCapacity: 'TOTAL',
  });
  try {
    const output = await callDynamoDB(operation, writes.map(tableNameOf), client.send(command));
    meterCapacity(output.ConsumedCapacity, parts);
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    if (others.length === 0) throw cancellationError(error, writes, first.endpoint);
    throw throttlingOf(error) ?? error;
  }
}

/**
 * Whether DynamoDB refused a transaction for its contents. The transaction has then written nothing, whereas
 * a request that fails for a timeout, its connection or its credentials may have been carried out.
 */
function isRefusedTransaction(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) return true;
  if (!isSagaboxError(error)) return false;
  if (error.code === 'TableAccessRefused') return isAccessDenied(error.cause);
  return error.code === 'RequestRejected' || error.code === 'TableNotFound';
}

/** Whether the role lacks a permission for a table or an action, unlike credentials that are not valid. */
function isAccessDenied(cause: unknown): boolean {
  return cause instanceof Error && cause.name.startsWith('AccessDenied');
}

/**
 * Returns the error of a transaction that was only throttled: its parts are not written alone at once, as the
 * table has no capacity left.
 */
function throttlingOf(error: TransactionCanceledException): SagaboxError<'Throttled'> | undefined {
  const reasons = (error.CancellationReasons ?? []).filter(({ Code: code }) => code && code !== 'None');
  const [first] = reasons;
  if (!first?.Code || !reasons.every(({ Code: code }) => isThrottling(code))) return undefined;
  return new SagaboxError('Throttled', { operation, reason: first.Code }, { cause: error });
}

function meterCapacity(
  consumed: readonly ConsumedCapacity[] | undefined,
  parts: readonly TransactionPart[],
): void {
  const reported = (consumed ?? []).map((one) => ({ TableName: one.TableName, ...reportedUnits(one) }));
  const split = (
    units: 'readUnits' | 'writeUnits',
    pay: (meter: CapacityMeter, paid: number | undefined) => void,
  ) =>
    splitCapacity(
      reported.map((one) => ({ TableName: one.TableName, CapacityUnits: one[units] })),
      parts.flatMap((part) => consumersOf(part, pay)),
    );
  split('writeUnits', (meter, paid) => meter.addWrite(paid));
  split('readUnits', (meter, paid) => meter.addRead(paid));
}

/**
 * Returns one consumer for each table and payer, not for each write: a message by itself pays the reported
 * units, not a sum of fractions.
 */
function consumersOf(
  { writes, payers }: TransactionPart,
  pay: (meter: CapacityMeter, paid: number) => void,
): Consumer[] {
  return [...Map.groupBy(writes, tableNameOf)].flatMap(([tableName, ofTable]) => {
    const units = ofTable.reduce(
      (sum, { item }) => sum + TRANSACTION_FACTOR * writeUnits(writtenBytes(item)),
      0,
    );
    return payers.map((meter) => ({
      tableName,
      units: units / payers.length,
      pay: (paid: number) => pay(meter, paid),
    }));
  });
}

function tableNameOf({ item }: PlannedWrite): string {
  return keyedPart(item)?.TableName ?? '';
}
