import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { newBatchers } from '../../lib/outbox/batchers.dynamodb.ts';
import { DynamoDBCommitter } from '../../lib/outbox/commit/committer.dynamodb.ts';
import { embeddedPlanner } from '../../lib/outbox/embedded/embedded-planner.dynamodb.ts';
import { embeddedCommit } from '../../lib/outbox/embedded/embedded-write.ts';
import { readEmbedded } from '../../lib/outbox/embedded/read-embedded.dynamodb.ts';
import type { SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import type { SagaWrite } from '../../lib/saga/saga-state.ts';
import { DynamoDBSagaStore } from '../../lib/saga/saga-store.dynamodb.ts';
import { commitOf, orderSaga } from '../support/commits.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { someSalt } from '../support/inboxes.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { allItems } from '../support/raw-items.ts';

const client = dynamoDBClient();
const meter = new CapacityMeter();
/** In whole seconds, as an item of an embedded outbox tells it. */
const at = new Date('2026-01-02T03:04:05Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const timeouts = [{ id: 't1', type: 'TimedOut', scheduled: true }];
const compressible = 'as before, '.repeat(400);

let tableName: string;
beforeEach(async () => {
  tableName = await createTable();
});

const table = () => ({ ...tableDefaults, tableName });
const load = () =>
  new DynamoDBSagaStore({
    reads: newBatchers(client, new MovingClock()).reads,
    table: table(),
    mapper: defaultMapper,
    readEmbedded,
  }).load(orderSaga, meter);
const sagaItem = async () => (await allItems(client, tableName)).find(({ SK }) => SK?.S === 'SAGA');

interface Step {
  readonly form: SagaOutboxForm;
  readonly compresses: boolean;
  /** @default - the state stays as it is */
  readonly state?: unknown;
  readonly ends?: boolean;
}

/** What a handler would commit. */
async function commit({ form, compresses, state, ends }: Step, id: string, seconds: number): Promise<void> {
  const { stored, item } = await load();
  const left = { saga: orderSaga, state, timeouts, stateVersion: 2 } as const;
  const change: SagaWrite = stored
    ? { kind: 'update', read: stored.revision, createdAt: stored.createdAt, ...left }
    : { kind: 'create', read: item?.revision, ...left };
  const end: SagaWrite | undefined = stored && { kind: 'complete', saga: orderSaga, read: stored.revision };
  const saga = ends ? end : state === undefined ? undefined : change;
  const committer = new DynamoDBCommitter({
    client,
    sagaTable: table(),
    outbox: { table: table(), endpoint: 'orders', deduplicationPeriodSeconds: 60 },
    mapper: defaultMapper,
    compressesState: compresses,
    planEmbedded: embeddedPlanner({ table: table(), mapper: defaultMapper, compressesState: compresses }),
    endpoint: 'orders',
  });
  if (form === 'records') return await committer.commit(commitOf({ saga, at: later(seconds) }), meter);
  const { embedded, outboxes } = embeddedCommit({
    endpoint: 'orders',
    form,
    openedSaga: { identity: orderSaga, stored, item, lease: undefined },
    saga,
    messages: [
      { type: 'T', content: { endpoint: 'orders', messageId: id, operations: [], storedAt: later(seconds) } },
    ],
    at: later(seconds),
    deduplicationPeriodSeconds: 60,
    newSalt: () => someSalt,
  });
  await committer.commit(commitOf({ embedded, outbox: outboxes[0], at: later(seconds) }), meter);
}

const journeys: readonly (readonly SagaOutboxForm[])[] = [
  ['records', 'both', 'records', 'both', 'embedded', 'both', 'records'],
  ['both', 'embedded', 'both', 'embedded', 'records'],
  ['embedded', 'both', 'records', 'embedded', 'both'],
];

describe.each(journeys.map((forms) => [forms.join(', '), forms] as const))(
  'an item of %s',
  (_name, forms) => {
    it.each([
      ['compressed', [true]],
      ['plain', [false]],
      ['now compressed, now plain', [true, false]],
    ] as const)('keeps its state, %s', async (_how, compressed) => {
      for (const [index, form] of forms.entries()) {
        const compresses = compressed[index % compressed.length] ?? false;
        const state = { step: index, compressible };
        await commit({ form, compresses, state }, `change ${index}`, 2 * index);
        if (form !== 'records') await commit({ form, compresses }, `look ${index}`, 2 * index + 1);
        const { stored, item } = await load();
        expect(stored?.readState()).toEqual(state);
        expect(stored).toMatchObject({ createdAt: at, timeouts, stateVersion: 2 });
        expect(stored?.revision.version).toBe(item?.revision.version);
        expect((await sagaItem())?.state).toHaveProperty(compresses ? 'B' : 'M');
        expect(item?.schema).toBe(form === 'both' ? item?.schema : form);
      }
    });

    it('keeps its state where the next one only looks at it', async () => {
      const [first = 'records', ...others] = forms;
      const state = { compressible };
      await commit({ form: first, compresses: true, state }, 'first', 0);
      for (const [index, form] of others.entries()) {
        if (form !== 'records') await commit({ form, compresses: false }, `look ${index}`, index);
        const { stored } = await load();
        expect(stored?.readState()).toEqual(state);
        expect(stored).toMatchObject({ createdAt: at, timeouts, stateVersion: 2 });
      }
    });

    it('ends, and starts anew', async () => {
      for (const [index, form] of forms.entries()) {
        const next = forms[index + 1] ?? form;
        await commit({ form, compresses: true, state: { compressible } }, `start ${index}`, 2 * index);
        await commit({ form: next, compresses: true, ends: true }, `end ${index}`, 2 * index + 1);
        const { stored, item } = await load();
        expect(stored).toBeUndefined();
        expect(item?.isTombstone).toBe(next === 'records' ? undefined : true);
        for (const name of ['state', 'encoding', 'timeouts', 'stateVersion', 'createdAt'])
          expect((await sagaItem()) ?? {}).not.toHaveProperty(name);
      }
      await commit({ form: 'records', compresses: false, state: {} }, 'last', 99);
      expect((await load()).stored?.readState()).toEqual({});
      expect(await sagaItem()).not.toHaveProperty(tableDefaults.timeToLiveAttributeName);
    });
  },
);
