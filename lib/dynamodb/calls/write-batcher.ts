import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  type DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { allAborted } from '../../kernel/async/all-aborted.ts';
import type { InFlight } from '../../kernel/calls/in-flight.ts';
import { type PendingRequest, RequestBatcher } from '../../kernel/calls/request-batcher.ts';
import { limits } from '../../kernel/limits.ts';
import type { CapacityMeter } from '../capacity-meter.ts';
import { writeUnits } from '../capacity-units.ts';
import type { Item } from '../item-attributes.ts';
import { type Consumer, splitCapacity } from './consumed-capacity.ts';
import { type ItemTarget, targetId, targetOfItem } from './item-target.ts';
import { type RoundTime, untilNextRound } from './rounds.ts';
import { callDynamoDB, isServiceWideError } from './service-errors.ts';

export interface UnconditionalWrite extends ItemTarget {
  /** The whole item; `undefined` to delete it. */
  readonly item: Item | undefined;
  /**
   * The size of the item before or after the write, the larger one, as far as it is known. The sizes split
   * the capacity that a call consumed.
   */
  readonly bytes: number;
  readonly meter: CapacityMeter;
  /** Ends the retries of unprocessed writes, once the signals of all of them are aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A write with the id of its item: while requests wait for others, the id is looked at again and again. */
type KnownWrite = UnconditionalWrite & { readonly id: string };

type PendingWrite = PendingRequest<KnownWrite, void>;

/**
 * Puts and deletes items without a condition: writes of messages that are dispatched at the same time share a
 * call.
 */
export class WriteBatcher {
  readonly #client: DynamoDBClient;
  readonly #requests: RequestBatcher<KnownWrite, void>;

  /** @param dispatches the dispatches under way, each of which is about to mark its message */
  constructor(client: DynamoDBClient, time: RoundTime, dispatches: InFlight) {
    this.#client = client;
    this.#requests = new RequestBatcher({
      waitFor: (left) => dispatches.gatherBehind(time.clock, left),
      // A call takes one write of each item.
      fits: (group, write) =>
        group.length < limits.batchWriteItems && !group.some(({ id }) => id === write.id),
      isFull: (group) => group.length === limits.batchWriteItems,
      run: this.#write.bind(this),
      untilNextRound: (rounds, left) => {
        const signal = allAborted(left.map(({ request }) => request.signal));
        return untilNextRound(time, 'BatchWriteItem', rounds, signal);
      },
      failsAll: isServiceWideError,
    });
  }

  /**
   * @throws SagaboxError `Throttled`, `TableCallFailed`, `TableNotFound`, `TableAccessRefused`,
   * `RequestRejected`
   */
  async write(write: UnconditionalWrite): Promise<void> {
    await this.#requests.add({ ...write, id: targetId(write) });
  }

  async #write(asked: readonly PendingWrite[]): Promise<void> {
    const byTable = Map.groupBy(asked, ({ request }) => request.tableName);
    const command = new BatchWriteItemCommand({
      RequestItems: Object.fromEntries(
        [...byTable].map(([name, writes]) => [name, writes.map(({ request }) => writeRequest(request))]),
      ),
      ReturnConsumedCapacity: 'TOTAL',
    });
    const output = await callDynamoDB('BatchWriteItem', [...byTable.keys()], this.#client.send(command));

    const unprocessed = unprocessedOf(output, byTable);
    const processed = asked.filter(({ request }) => !unprocessed.has(request.id));
    splitCapacity(output.ConsumedCapacity, (processed.length > 0 ? processed : asked).map(toConsumer));
    for (const one of processed) one.resolve();
  }
}

function writeRequest({ item, key }: UnconditionalWrite): WriteRequest {
  return item ? { PutRequest: { Item: item } } : { DeleteRequest: { Key: key } };
}

/** Returns the ids of the items whose writes were left unprocessed. */
function unprocessedOf(
  { UnprocessedItems: left = {} }: BatchWriteItemCommandOutput,
  byTable: ReadonlyMap<string, readonly PendingWrite[]>,
): Set<string> {
  const ids = new Set<string>();
  for (const [tableName, [first]] of byTable) {
    if (first === undefined) continue;
    for (const { PutRequest: put, DeleteRequest: remove } of left[tableName] ?? []) {
      ids.add(targetId(targetOfItem(put?.Item ?? remove?.Key ?? {}, first.request)));
    }
  }
  return ids;
}

function toConsumer({ request: { tableName, bytes, meter } }: PendingWrite): Consumer {
  return { tableName, units: writeUnits(bytes), pay: (paid) => meter.addWrite(paid) };
}
