import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { type CounterEndpoint, counterEndpoint } from './counter-endpoint.ts';
import { modes } from './modes.ts';

const SALT_BYTES = 8;
const ENTRY_BYTES = 15;
const HASH_BYTES = 9;

/** As the page of what is stored has it. */
const keyOf = (salt: Buffer, id: string) =>
  createHmac('sha256', salt).update(id).digest().subarray(0, HASH_BYTES).toString('base64url');

describe.each(modes)('I2: the item of a saga with an embedded outbox in $name mode', ({ locking }) => {
  const diesBeforeSend = { operation: 'SendMessageBatch', nth: 1, when: 'before' } as const;
  let endpoint: CounterEndpoint;

  beforeEach(async () => {
    endpoint = await counterEndpoint(locking, 'embedded');
  });

  const counted = (counter: string, id: string) => record('Counted', { counter, note: id }, id);
  const closed = (counter: string, id: string) => record('Closed', { counter }, id);

  async function known(counter: string) {
    const items = await allItems(dynamoDBClient(), endpoint.table);
    const { inbox, pending } = items.find(({ PK }) => PK?.S === `SAGA#Counter#${counter}`) ?? {};
    const bytes = Buffer.from(inbox?.B ?? []);
    const salt = bytes.subarray(0, SALT_BYTES);
    const keys: string[] = [];
    for (let at = SALT_BYTES; at < bytes.length; at += ENTRY_BYTES)
      keys.push(bytes.subarray(at, at + HASH_BYTES).toString('base64url'));
    return { salt, keys, pending: Object.keys(pending?.M ?? {}) };
  }
  const keysOf = (salt: Buffer, ...ids: string[]) => ids.map((id) => keyOf(salt, id));

  it('knows a message by the beginning of the HMAC of its id, under another salt in each item', async () => {
    const counters = Array.from({ length: 5 }, (_, index) => `${index}`);
    for (const counter of counters)
      await endpoint.deliver([counted(counter, 'message-1')], { dieAt: diesBeforeSend });
    const items = await Promise.all(counters.map(known));
    for (const { salt, keys, pending } of items) {
      expect(keys).toEqual(keysOf(salt, 'message-1'));
      expect(pending).toEqual(keys);
    }
    expect(new Set(items.map(({ salt }) => salt.toString('hex'))).size).toBe(counters.length);
  });

  it('keeps its salt through its end, a discard and its next start', async () => {
    await endpoint.deliver([counted('7', 'm1')]);
    const { salt } = await known('7');
    for (const message of [closed('7', 'm2'), closed('7', 'm3'), counted('7', 'm4')])
      await endpoint.deliver([message]);
    expect(await known('7')).toEqual({ salt, keys: keysOf(salt, 'm1', 'm2', 'm3', 'm4'), pending: [] });
    for (const id of ['m1', 'm4']) await endpoint.deliver([counted('7', id)]);
    for (const id of ['m2', 'm3']) await endpoint.deliver([closed('7', id)]);
    expect(endpoint.reports.slice(-4).map(({ outcome }) => outcome)).toEqual(Array(4).fill('duplicate'));
  });

  it('is given a salt by a discard that finds no saga', async () => {
    for (const counter of ['7', '8']) await endpoint.deliver([closed(counter, 'm1')]);
    const [one, other] = [await known('7'), await known('8')];
    expect([one.keys, other.keys]).toEqual([keysOf(one.salt, 'm1'), keysOf(other.salt, 'm1')]);
    expect(one.salt).not.toEqual(other.salt);
  });

  it('is given a salt by the first function that has an embedded outbox beside records, after those with records alone', async () => {
    const deliver = async (form: SagaOutboxForm, id: string) =>
      await endpoint.deliver([counted('7', id)], { form });
    await deliver('records', 'm1');
    expect(await known('7')).toMatchObject({ keys: [], salt: Buffer.alloc(0) });
    await deliver('both', 'm2');
    const { salt, keys } = await known('7');
    expect(keys).toEqual(keysOf(salt, 'm2'));
    await deliver('both', 'm3');
    expect(await known('7')).toMatchObject({ salt, keys: keysOf(salt, 'm2', 'm3') });
    for (const id of ['m1', 'm2', 'm3']) await deliver('both', id);
    expect(endpoint.reports.slice(-3).map(({ outcome }) => outcome)).toEqual(Array(3).fill('duplicate'));
  });
});
