import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { updateItem } from '../../dynamodb/calls/conditional-write.ts';
import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { Item } from '../../dynamodb/item-attributes.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { settled } from '../../kernel/async/settle.ts';
import type { InFlight } from '../../kernel/calls/in-flight.ts';
import { type PendingRequest, RequestBatcher } from '../../kernel/calls/request-batcher.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sagaItemKey } from './entry-reference.dynamodb.ts';
import type { RecordSagaItem } from './record-saga-item.ts';
import type { StatementBatcher, StatementOutcome } from './statement-batcher.dynamodb.ts';
import { UpdateBuilder } from './update-builder.dynamodb.ts';

export interface Mark {
  readonly table: Table;
  readonly deduplicationPeriodSeconds: number;
  readonly sagaItem: RecordSagaItem;
  readonly meter: CapacityMeter;
}

/** The facts of an item, as it was last seen, that decide on the form of its mark. */
type ItemSnapshot = Pick<RecordSagaItem, 'isTombstone' | 'pendingCount'>;

/** Source: "Quotas in Amazon DynamoDB" (2026-11): an expression takes 4 KB. */
const MAX_MARKS = 100;

/**
 * Removes sent entries from the pending ones in items of sagas. Marks of one item that are made at the same
 * time share a write: messages that were committed together are marked together. Marks of several items share
 * a call.
 */
export class MarkBatcher {
  readonly #client: DynamoDBClient;
  readonly #statements: StatementBatcher;
  readonly #requests: RequestBatcher<Mark, void>;

  /** @param dispatches the dispatches under way, each of which is about to mark its message */
  constructor(client: DynamoDBClient, clock: Clock, dispatches: InFlight, statements: StatementBatcher) {
    this.#client = client;
    this.#statements = statements;
    this.#requests = new RequestBatcher({
      waitFor: (left) => dispatches.gatherBehind(clock, left),
      fits: (group) => group.length < MAX_MARKS,
      run: this.#run.bind(this),
      // `#settle` answers the marks of each item: an error of one item never fails the group.
      failsAll: () => true,
    });
  }

  async mark(mark: Mark): Promise<void> {
    await this.#requests.add(mark);
  }

  async #run(group: readonly PendingRequest<Mark, void>[]): Promise<void> {
    const items = [...Map.groupBy(group, ({ request }) => itemOf(request)).values()];
    await Promise.all(items.map((ofItem) => this.#settle(ofItem)));
  }

  async #settle(ofItem: readonly PendingRequest<Mark, void>[]): Promise<void> {
    const marked = await settled(this.#markItem(ofItem.map(({ request }) => request)));
    for (const each of ofItem) {
      if (marked.status === 'fulfilled') each.resolve();
      else each.reject(marked.reason);
    }
  }

  /**
   * Removes entries, under the condition that each of them exists: to remove a missing one would make an item
   * of a saga that is gone. A mark leaves the version of the saga as it is, so that it conflicts with no
   * commit.
   */
  async #markItem(marks: readonly Mark[]): Promise<void> {
    const first = marks[0] as Mark;
    // Deliveries of one message may mark it at the same time; DynamoDB refuses a path that is named twice.
    let keys = [...new Set(marks.map(({ sagaItem }) => sagaItem.key))];
    // The message of the last mark was committed after the others.
    let snapshot: ItemSnapshot = (marks.at(-1) as Mark).sagaItem;
    if ((await this.#markByStatement(first, keys, snapshot)) === 'written') return;
    while (keys.length > 0) {
      const { refusal } = await updateItem(this.#client, markUpdate(first, keys, snapshot), first.meter);
      if (refusal === undefined) return;
      const item = refusal.Item as Item | undefined;
      const pending = item?.pending?.M ?? {};
      // Others marked the missing entries, or the answer to this mark got lost.
      keys = keys.filter((key) => pending[key] !== undefined);
      snapshot = { isTombstone: item?.state === undefined, pendingCount: Object.keys(pending).length };
    }
  }

  async #markByStatement(
    mark: Mark,
    keys: readonly string[],
    snapshot: ItemSnapshot,
  ): Promise<StatementOutcome> {
    const { table, sagaItem, meter } = mark;
    const { tableName } = table;
    const statement = markUpdateByStatement(keys, snapshot)?.statement(
      tableName,
      sagaItemKey(table, { sagaItem }),
    );
    const itemId = itemOf(mark);
    return statement
      ? await this.#statements.write({ statement, tableName, itemId, bytes: 1, meter })
      : 'alone';
  }
}

/**
 * Returns the mark of a saga that has not ended; such a mark does not depend on the other pending entries.
 * `undefined` for a tombstone, and for several entries: engines differ in how a statement removes several.
 */
function markUpdateByStatement(
  keys: readonly string[],
  { isTombstone }: ItemSnapshot,
): UpdateBuilder | undefined {
  const [key, ...others] = keys;
  if (key === undefined || isTombstone || others.length > 0) return undefined;
  const update = new UpdateBuilder();
  update.require(['pending', key], true);
  update.require(['state'], true);
  update.remove(['pending', key]);
  return update;
}

/**
 * Returns the write of a mark. The mark that removes the last entry of a tombstone also sets the expiry of
 * the tombstone. The condition of each form holds only for the items that the form is for. DynamoDB evaluates
 * the expiry, as the clock that wrote the tombstone may not be ours.
 */
function markUpdate(
  { table, deduplicationPeriodSeconds, sagaItem }: Mark,
  keys: readonly string[],
  { isTombstone, pendingCount }: ItemSnapshot,
) {
  const update = new UpdateBuilder();
  for (const key of keys) {
    update.remove(['pending', key]);
    update.require(['pending', key], true);
  }
  const isLast = pendingCount === keys.length;
  update.add((of) => {
    const size = `size(${of.path(['pending'])})`;
    const count = of.value({ N: String(keys.length) });
    const state = of.path(['state']);
    if (isLast && isTombstone) {
      const period = of.value({ N: String(deduplicationPeriodSeconds) });
      const timeToLive = of.path([table.timeToLiveAttributeName]);
      return {
        set: `${timeToLive} = ${of.path(['updatedAt'])} + ${period}`,
        condition: `attribute_not_exists(${state}) AND ${size} = ${count}`,
      };
    }
    return { condition: `attribute_exists(${state}) OR ${size} <> ${count}` };
  });
  const target = { TableName: table.tableName, Key: sagaItemKey(table, { sagaItem }) };
  return { ...target, ...update.expressions };
}

function itemOf({ table, sagaItem: { partition } }: Mark): string {
  return `${table.tableName} ${partition}`;
}
