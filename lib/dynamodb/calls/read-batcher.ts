import { setImmediate } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { type PendingRequest, RequestBatcher } from '../../kernel/calls/request-batcher.ts';
import { SHARED_CALL_ITEMS } from '../../kernel/calls/shared-call.ts';
import type { CapacityMeter } from '../capacity-meter.ts';
import { itemReadUnits } from '../capacity-units.ts';
import type { Item } from '../item-attributes.ts';
import { type Consumer, splitCapacity } from './consumed-capacity.ts';
import { type ItemTarget, targetId, targetOfItem } from './item-target.ts';
import { type RoundTime, untilNextRound } from './rounds.ts';
import { callDynamoDB, isServiceWideError } from './service-errors.ts';

export interface ReadRequest extends ItemTarget {
  readonly consistentRead: boolean;
  readonly meter: CapacityMeter;
}

/** A read with the id of its item: while requests wait for others, the id is looked at again and again. */
type KnownRead = ReadRequest & { readonly id: string };

type PendingRead = PendingRequest<KnownRead, Item | undefined>;

/** The read of one item for all requests that ask for it. */
interface Read {
  readonly id: string;
  readonly target: ReadRequest;
  readonly askedBy: readonly PendingRead[];
}

/** Reads items by key: requests of the same turn of the event loop share a call. */
export class ReadBatcher {
  readonly #client: DynamoDBClient;
  readonly #time: RoundTime;
  readonly #requests = new RequestBatcher<KnownRead, Item | undefined>({
    // Messages of a batch make their reads in step.
    waitFor: () => setImmediate(),
    fits: (group, request) =>
      isOfOneConsistency(group, request) &&
      (group.length < SHARED_CALL_ITEMS || countItems([...group, request]) <= SHARED_CALL_ITEMS),
    isFull: (group) => group.length >= SHARED_CALL_ITEMS && countItems(group) === SHARED_CALL_ITEMS,
    run: this.#read.bind(this),
    untilNextRound: (rounds) => untilNextRound(this.#time, 'BatchGetItem', rounds),
    failsAll: isServiceWideError,
  });

  constructor(client: DynamoDBClient, time: RoundTime) {
    this.#client = client;
    this.#time = time;
  }

  /**
   * @throws SagaboxError `Throttled`, `TableCallFailed`, `TableNotFound`, `TableAccessRefused`,
   * `RequestRejected`
   */
  read(request: ReadRequest): Promise<Item | undefined> {
    return this.#requests.add({ ...request, id: targetId(request) });
  }

  async #read(group: readonly PendingRead[]): Promise<void> {
    const reads = readsOf(group);
    const byTable = Map.groupBy(reads, ({ target }) => target.tableName);
    const command = new BatchGetItemCommand({
      RequestItems: Object.fromEntries([...byTable].map(([name, ofTable]) => [name, keysOf(ofTable)])),
      ReturnConsumedCapacity: 'TOTAL',
    });
    const output = await callDynamoDB('BatchGetItem', [...byTable.keys()], this.#client.send(command));

    const { found, unprocessed } = answersOf(output, byTable);
    const processed = reads.filter(({ id }) => !unprocessed.has(id));
    const consumers = (processed.length > 0 ? processed : reads).flatMap((read) =>
      consumersOf(read, found.get(read.id)),
    );
    splitCapacity(output.ConsumedCapacity, consumers);
    for (const { id, askedBy } of processed) answer(askedBy, found.get(id));
  }
}

function readsOf(group: readonly PendingRead[]): readonly Read[] {
  const reads = Map.groupBy(group, ({ request }) => request.id);
  return [...reads].map(([id, askedBy]) => ({ id, target: (askedBy[0] as PendingRead).request, askedBy }));
}

/** Whether a request reads its table as the group does: a call reads each table with one consistency. */
function isOfOneConsistency(
  group: readonly ReadRequest[],
  { tableName, consistentRead }: ReadRequest,
): boolean {
  return group.every((other) => other.tableName !== tableName || other.consistentRead === consistentRead);
}

function countItems(requests: readonly KnownRead[]): number {
  return new Set(requests.map(({ id }) => id)).size;
}

function keysOf(reads: readonly Read[]) {
  const Keys = reads.map(({ target }) => target.key);
  return { Keys, ConsistentRead: reads[0]?.target.consistentRead ?? true };
}

function answersOf(output: BatchGetItemCommandOutput, byTable: ReadonlyMap<string, readonly Read[]>) {
  const found = new Map<string, Item>();
  const unprocessed = new Set<string>();
  for (const [tableName, [first]] of byTable) {
    if (first === undefined) continue;
    for (const item of output.Responses?.[tableName] ?? []) {
      found.set(targetId(targetOfItem(item, first.target)), item);
    }
    for (const key of output.UnprocessedKeys?.[tableName]?.Keys ?? []) {
      unprocessed.add(targetId(targetOfItem(key, first.target)));
    }
  }
  return { found, unprocessed };
}

function consumersOf({ target, askedBy }: Read, item: Item | undefined): Consumer[] {
  const { tableName, consistentRead } = target;
  const units = itemReadUnits(item, consistentRead) / askedBy.length;
  return askedBy.map(({ request }) => ({ tableName, units, pay: (paid) => request.meter.addRead(paid) }));
}

/** Gives each request an item of its own: a change to one does not show to the others. */
function answer(askedBy: readonly PendingRead[], item: Item | undefined): void {
  askedBy.forEach((asked, index) => {
    asked.resolve(index === 0 ? item : structuredClone(item));
  });
}
