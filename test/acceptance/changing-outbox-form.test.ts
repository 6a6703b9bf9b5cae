import { beforeEach, describe, expect, it } from '@jest/globals';
import { isSagaboxError } from 'sagabox';
import type { SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { record } from '../support/queue.ts';
import { allItems, changeItem } from '../support/raw-items.ts';
import { cells } from '../support/samples.ts';
import { type CounterEndpoint, counterEndpoint } from './counter-endpoint.ts';
import { modes } from './modes.ts';

const client = dynamoDBClient();
const counted = (id: string) => record('Counted', { counter: '7', note: id }, id);
const closed = (id: string) => record('Closed', { counter: '7' }, id);

/** Beyond a deduplication period of seven days. */
const AGE_SECONDS = 8 * 24 * 3600;

let endpoint: CounterEndpoint;
const outcomes = () => endpoint.reports.map(({ outcome }) => outcome);
const lastError = () => {
  const { error } = endpoint.reports.at(-1) ?? {};
  return isSagaboxError(error) ? { code: error.code, ...error.facts } : error;
};
const sagaItem = async () => (await allItems(client, endpoint.table)).find(({ SK }) => SK?.S === 'SAGA');
const pendingCount = async () => Object.keys((await sagaItem())?.pending?.M ?? {}).length;

/** As if the item had last been written, and changed over, so long ago. */
async function age(): Promise<void> {
  const { updatedAt, changeover } = (await sagaItem()) ?? {};
  const key = ['SAGA#Counter#7', 'SAGA'] as const;
  const then = Math.floor(Date.now() / 1000) - AGE_SECONDS;
  const iso = { S: new Date(then * 1000).toISOString() };
  await changeItem(client, endpoint.table, key, 'updatedAt', updatedAt?.S ? iso : { N: String(then) });
  if (changeover) await changeItem(client, endpoint.table, key, 'changeover', { N: String(then) });
}

const neighbours: readonly (readonly [SagaOutboxForm, SagaOutboxForm])[] = [
  ['records', 'both'],
  ['both', 'records'],
  ['both', 'embedded'],
  ['embedded', 'both'],
];

const relayed = () => endpoint.relay({ olderThan: { milliseconds: 0 } });
const deliver = (form: SagaOutboxForm, ...records: ReturnType<typeof counted>[]) =>
  endpoint.deliver(records, { form });

/** Modes see nothing of the two forms but items, of which the way from one to the other, below, has each. */
const modesOfPairs = cells(modes, ({ name }) => name === 'optimistic');

describe.each(modesOfPairs)('I2, I3: a saga in $name mode', ({ locking }) => {
  beforeEach(async () => {
    endpoint = await counterEndpoint(locking);
  });

  describe.each(neighbours)("of functions with outbox '%s' and '%s'", (one, other) => {
    it('handles each message once, whichever function gets it first', async () => {
      await deliver(one, counted('m1'));
      await deliver(other, counted('m1'), counted('m2'));
      await deliver(one, counted('m2'), counted('m1'), counted('m3'));
      await deliver(other, counted('m3'));
      expect(outcomes().filter((outcome) => outcome === 'handled')).toHaveLength(3);
      expect(outcomes().filter((outcome) => outcome === 'duplicate')).toHaveLength(4);
      expect(await endpoint.state('7')).toEqual({ count: 3, handled: ['m1', 'm2', 'm3'] });
    });

    it('dispatches by one function what the other has left', async () => {
      const died = { operation: 'SendMessageBatch', nth: 1, when: 'before' } as const;
      await deliver(other, counted('m0'));
      expect(await endpoint.deliver([counted('m1')], { form: one, dieAt: died })).toHaveLength(1);
      expect(await deliver(other, counted('m1'))).toEqual([]);
      expect(await deliver(one, counted('m1'))).toEqual([]);
      expect(outcomes().slice(-2)).toEqual(['redispatched', 'duplicate']);
      expect(await endpoint.arrived('billing')).toHaveLength(2);
      expect([await endpoint.undispatchedRecords(), await pendingCount()]).toEqual([0, 0]);
    });

    it('leaves what neither dispatches to the relay', async () => {
      const died = { operation: 'SendMessageBatch', nth: 1, when: 'before' } as const;
      for (const form of [one, other]) await endpoint.deliver([counted(form)], { form, dieAt: died });
      expect(await relayed()).toMatchObject({ dispatched: 2 });
      expect(await endpoint.arrived('billing')).toHaveLength(2);
      expect(await deliver(one, counted(other))).toEqual([]);
      expect(outcomes().at(-1)).toBe('duplicate');
    });

    it('knows in one function what the other has discarded', async () => {
      await deliver(one, closed('c1'));
      await deliver(other, counted('m1'), closed('c1'));
      await deliver(one, closed('c1'));
      expect(outcomes().toSorted()).toEqual(['discarded', 'duplicate', 'duplicate', 'handled']);
      expect(await endpoint.state('7')).toEqual({ count: 1, handled: ['m1'] });
    });

    it('knows what came before when it ends and starts anew', async () => {
      await deliver(one, counted('m1'));
      await deliver(other, closed('c1'));
      expect(await endpoint.state('7')).toBeUndefined();
      await deliver(one, counted('m1'), closed('c1'), closed('late'));
      expect(outcomes().slice(2).toSorted()).toEqual(['discarded', 'duplicate', 'duplicate']);
      await deliver(one, counted('m2'));
      await deliver(other, counted('m1'), counted('m3'));
      expect(await endpoint.state('7')).toEqual({ count: 2, handled: ['m2', 'm3'] });
      expect((await sagaItem())?.ExpiresAt).toBeUndefined();
    });
  });
});

describe.each(cells(modes, ({ name }) => name !== 'eventual'))(
  'I2, I3: a saga that changes its outbox form in $name mode',
  ({ locking }) => {
    beforeEach(async () => {
      endpoint = await counterEndpoint(locking);
    });

    it('goes from records by way of both to an embedded outbox, after a deduplication period', async () => {
      await deliver('records', counted('m1'));
      expect(await deliver('embedded', counted('m2'))).toHaveLength(1);
      const refused = { code: 'OtherSagaForm', stored: 'records', expected: 'embedded' };
      expect(lastError()).toMatchObject({ ...refused, takenFrom: expect.stringMatching(/^20/) });
      await deliver('both', counted('m2'));
      expect(await deliver('embedded', counted('m3'))).toHaveLength(1);
      expect(lastError()).toMatchObject(refused);
      await age();
      await deliver('both', counted('m3'));
      expect(await deliver('embedded', counted('m3'), counted('m4'))).toEqual([]);
      expect(outcomes().slice(-2).toSorted()).toEqual(['duplicate', 'handled']);
      expect(await endpoint.state('7')).toEqual({ count: 4, handled: ['m1', 'm2', 'm3', 'm4'] });
      const item = await sagaItem();
      expect(item).toMatchObject({ schemaVersion: { N: '2' }, version: { N: '4' }, pending: { M: {} } });
      expect(item).toMatchObject({ createdAt: { N: expect.anything() }, endpoint: { S: 'counters' } });
      expect(item).not.toHaveProperty('changeover');
    });

    it('goes from an embedded outbox by way of both back to records, once nothing is pending', async () => {
      const died = { operation: 'SendMessageBatch', nth: 1, when: 'before' } as const;
      await endpoint.deliver([counted('m1')], { form: 'embedded', dieAt: died });
      await deliver('both', counted('m2'));
      expect(await deliver('records', counted('m3'))).toHaveLength(1);
      const refused = { code: 'OtherSagaForm', stored: 'embedded', expected: 'records' };
      expect(lastError()).toMatchObject({ ...refused, takenFrom: undefined });
      expect(await relayed()).toMatchObject({ dispatched: 1 });
      const before = await sagaItem();
      expect(await deliver('records', counted('m3'))).toHaveLength(1);
      expect(lastError()).toMatchObject({ ...refused, takenFrom: expect.stringMatching(/^20/) });
      expect(await sagaItem()).toEqual(before);
      await age();
      await deliver('both', counted('m3'));
      expect(await deliver('records', counted('m3'), counted('m4'))).toEqual([]);
      expect(outcomes().slice(-2).toSorted()).toEqual(['duplicate', 'handled']);
      expect(await endpoint.state('7')).toEqual({ count: 4, handled: ['m1', 'm2', 'm3', 'm4'] });
      const item = await sagaItem();
      expect(item).toMatchObject({ schemaVersion: { N: '1' }, version: { N: '4' } });
      for (const name of ['inbox', 'pending', 'endpoint', 'changeover'])
        expect(item).not.toHaveProperty(name);
    });
  },
);
