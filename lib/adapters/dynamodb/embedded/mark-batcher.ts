import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { settled } from '../../../core/async/settle.ts';
import type { RecordHolder } from '../../../core/embedded/record-holder.ts';
import type { CapacityMeter } from '../../../core/storage/capacity-meter.ts';
import type { Item } from '../../../core/storage/item-attributes.ts';
import type { Clock } from '../../../ports.ts';
import { Coalescer, type PendingRequest } from '../../shared/coalescer.ts';
import type { InFlight } from '../../shared/in-flight.ts';
import { updateItem } from '../calls/conditional-write.ts';
import type { Table } from '../table.ts';
import { holderKey } from './entry-reference.ts';
import type { StatementBatcher, StatementOutcome } from './statement-batcher.ts';
import { UpdateBuilder } from './update-builder.ts';

export interface Mark {
  readonly table: Table;
  readonly deduplicationPeriodSeconds: number;
  readonly holder: RecordHolder;
  readonly meter: CapacityMeter;
}

/** What an item looked like: it decides on the form of its mark. */
type Seen = Pick<RecordHolder, 'isTombstone' | 'pendingCount'>;

/** Source: "Quotas in Amazon DynamoDB" (2026-11): an expression takes 4 KB. */
const MAX_MARKS = 100;

/**
 * Takes away what is sent from what is pending in items of sagas. Marks of one item that are made at the same time
 * share a write: messages that were committed together are marked together. Those of other items share a call.
 */
export class MarkBatcher {
  readonly #client: DynamoDBClient;
  readonly #statements: StatementBatcher;
  readonly #coalescer: Coalescer<Mark, void>;

  /** @param dispatches a message that is being dispatched is going to be marked in a moment */
  constructor(client: DynamoDBClient, clock: Clock, dispatches: InFlight, statements: StatementBatcher) {
    this.#client = client;
    this.#statements = statements;
    this.#coalescer = new Coalescer({
      gather: (left) => dispatches.gatherBehind(clock, left),
      fits: (group) => group.length < MAX_MARKS,
      run: this.#run.bind(this),
      // Each item answers for itself.
      failsAll: () => true,
    });
  }

  async mark(mark: Mark): Promise<void> {
    await this.#coalescer.add(mark);
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
   * Removes entries under the existence of each of them: to remove a missing one would make an item of a saga that
   * is gone. It has no version, so that commits beside it stand.
   */
  async #markItem(marks: readonly Mark[]): Promise<void> {
    const first = marks[0] as Mark;
    // Two deliveries of one message may mark it at the same time; DynamoDB refuses a path that is named twice.
    let keys = [...new Set(marks.map(({ holder }) => holder.key))];
    // The last one was committed behind the others.
    let seen: Seen = (marks.at(-1) as Mark).holder;
    if ((await this.#markByStatement(first, keys, seen)) === 'written') return;
    while (keys.length > 0) {
      const { refusal } = await updateItem(this.#client, markUpdate(first, keys, seen), first.meter);
      if (refusal === undefined) return;
      const item = refusal.Item as Item | undefined;
      const pending = item?.pending?.M ?? {};
      // Others marked them, or the answer to this mark got lost.
      keys = keys.filter((key) => pending[key] !== undefined);
      seen = { isTombstone: item?.state === undefined, pendingCount: Object.keys(pending).length };
    }
  }

  async #markByStatement(mark: Mark, keys: readonly string[], seen: Seen): Promise<StatementOutcome> {
    const { table, holder, meter } = mark;
    const { tableName } = table;
    const statement = markUpdateByStatement(keys, seen)?.statement(tableName, holderKey(table, { holder }));
    const itemId = itemOf(mark);
    return statement
      ? await this.#statements.write({ statement, tableName, itemId, bytes: 1, meter })
      : 'alone';
  }
}

/**
 * The mark of a saga that has not ended, if a statement says it: nothing hangs on what else is pending. Two removals
 * are an update, as engines differ in how a statement writes them.
 */
function markUpdateByStatement(keys: readonly string[], { isTombstone }: Seen): UpdateBuilder | undefined {
  const [key, ...others] = keys;
  if (key === undefined || isTombstone || others.length > 0) return undefined;
  const update = new UpdateBuilder();
  update.require(['pending', key], true);
  update.require(['state'], true);
  update.remove(['pending', key]);
  return update;
}

/**
 * The mark that takes the last entry of a tombstone sets when that expires, in the same write. Each form holds only
 * for what it is meant for; DynamoDB evaluates the expiry, as the tombstone's clock may not be ours.
 */
function markUpdate(
  { table, deduplicationPeriodSeconds, holder }: Mark,
  keys: readonly string[],
  { isTombstone, pendingCount }: Seen,
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
  const target = { TableName: table.tableName, Key: holderKey(table, { holder }) };
  return { ...target, ...update.expressions };
}

function itemOf({ table, holder: { partition } }: Mark): string {
  return `${table.tableName} ${partition}`;
}
