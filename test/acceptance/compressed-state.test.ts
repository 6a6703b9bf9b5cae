import { describe, expect, it } from '@jest/globals';
import { createHandler, defineSaga, type Locking, type MessageReport } from 'sagabox';
import { z } from 'zod';
import { itemSize } from '../../lib/dynamodb/item-size.ts';
import { limits } from '../../lib/kernel/limits.ts';
import type { SagaStateOptions } from '../../lib/saga/definition/define-saga.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { modes } from './modes.ts';

const ofLog = z.object({ log: z.string(), entry: z.string(), times: z.number() });

const logSaga = (state: SagaStateOptions | undefined) =>
  defineSaga({
    name: 'Log',
    messages: { Logged: ofLog, Read: z.object({ log: z.string() }) },
    correlate: { Logged: ({ log }) => log, Read: ({ log }) => log },
    startedBy: ['Logged'],
    initialState: () => ({ entries: [] as string[], hash: new Uint8Array() }),
    handlers: {
      Logged({ body: { entry, times } }, { saga }) {
        for (let time = 0; time < times; time += 1) saga.state.entries.push(entry);
        saga.state.hash = Uint8Array.of(saga.state.entries.length % 256);
      },
      Read(_message, { saga }) {
        saga.state.hash.slice();
      },
    },
    ...(state && { state }),
  });

/** Each delivery in a function of its own. */
async function openLog(locking: Locking) {
  const tableName = await createTable();
  const client = dynamoDBClient();
  const item = async () => {
    const items = await allItems(client, tableName);
    return items.find(({ SK }) => SK?.S === 'SAGA');
  };
  async function deliver(state: SagaStateOptions | undefined, type: string, body: object) {
    const reports: MessageReport[] = [];
    const handler = createHandler(logSaga(state), {
      endpoint: 'logs',
      throwOnFullBatchFailure: false,
      sagaTable: { tableName },
      outboxTable: { tableName },
      locking,
      logger: silentLogger,
      dynamoDBClient: client,
      onMessage: (report) => void reports.push(report),
    });
    await handler({ Records: [record(type, { log: '7', ...body })] });
    const { S: encoding } = (await item())?.encoding ?? {};
    return { outcome: reports[0]?.outcome, error: reports[0]?.error, encoding };
  }
  return { deliver, item };
}

const compress = { compress: true };
const plain = { outcome: 'handled', encoding: undefined };
const compressed = { outcome: 'handled', encoding: 'br' };

describe.each(modes)('Cost: a compressed state in $name mode', ({ locking }) => {
  it('is read, and written as the saga says, which changes between its messages', async () => {
    const { deliver, item } = await openLog(locking);
    const logged = (entry: string, times: number) => ({ entry, times });
    expect(await deliver(compress, 'Logged', logged('small', 1))).toMatchObject(plain);
    expect(await deliver(compress, 'Logged', logged('a longer entry', 200))).toMatchObject(compressed);
    const before = await item();
    for (const state of [undefined, compress]) {
      expect(await deliver(state, 'Read', {})).toMatchObject(compressed);
      expect((await item())?.version).toEqual(before?.version);
      expect((await item())?.state).toEqual(before?.state);
    }
    expect(await deliver(undefined, 'Logged', logged('plain', 1))).toMatchObject(plain);
    expect(await deliver({ compress: false }, 'Logged', logged('plain', 1))).toMatchObject(plain);
    expect(await deliver(compress, 'Logged', logged('last', 1))).toMatchObject(compressed);
    expect(await deliver({}, 'Logged', logged('plain', 1))).toMatchObject(plain);

    const entries = (await item())?.state?.M?.entries?.L ?? [];
    expect(entries).toHaveLength(205);
    expect(entries.slice(-4)).toEqual([{ S: 'plain' }, { S: 'plain' }, { S: 'last' }, { S: 'plain' }]);
    expect((await item())?.state?.M?.hash).toEqual({ B: Uint8Array.of(205) });
  });

  it('can be larger than an item', async () => {
    const { deliver, item } = await openLog(locking);
    const large = { entry: 'an entry of a hundred bytes '.repeat(4), times: 5_000 };
    expect(await deliver(compress, 'Logged', large)).toMatchObject(compressed);
    expect(itemSize((await item()) ?? {})).toBeLessThan(limits.itemBytes / 10);
    expect(await deliver(undefined, 'Logged', { entry: 'plain', times: 1 })).toMatchObject({
      outcome: 'failed',
      error: { code: 'ItemTooLarge' },
    });
    expect(await deliver(compress, 'Logged', { entry: 'last', times: 1 })).toMatchObject(compressed);
  });
});
