import { describe, expect, it } from '@jest/globals';
import { createHandler, defineSaga, type Locking, type MessageReport } from 'sagabox';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { modes } from './modes.ts';

const body = z.object({ order: z.string() });
const common = {
  name: 'Order',
  messages: { Placed: body, Looked: body },
  correlate: {
    Placed: ({ order }: { order: string }) => order,
    Looked: ({ order }: { order: string }) => order,
  },
  startedBy: ['Placed'] as ['Placed'],
  state: { compress: true },
};

/** The code of the first release: totals in euros. */
const inEuros = defineSaga({
  ...common,
  initialState: () => ({ total: 0, note: 'n'.repeat(3_000) }),
  handlers: {
    Placed(_message, { saga }) {
      saga.state.total += 1;
    },
    Looked() {},
  },
});

/** Of the second one: in cents, and with lines. */
const inCents = defineSaga({
  ...common,
  stateSchema: z.looseObject({ cents: z.number().int(), lines: z.array(z.string()).default([]) }),
  migrate: {
    1: ({ total, ...others }: { total: number }) => ({ ...others, cents: total * 100 }),
  },
  initialState: () => ({ cents: 0, lines: [] }),
  handlers: {
    Placed(_message, { saga }) {
      saga.state.cents += 1;
      saga.state.lines.push('one');
    },
    Looked() {},
  },
});

async function openOrders(locking: Locking) {
  const tableName = await createTable();
  const client = dynamoDBClient();
  async function deliver(saga: typeof inEuros | typeof inCents, type: 'Placed' | 'Looked') {
    const reports: MessageReport[] = [];
    const handler = createHandler(saga as typeof inCents, {
      endpoint: 'orders',
      throwOnFullBatchFailure: false,
      sagaTable: { tableName },
      outboxTable: { tableName },
      locking,
      logger: silentLogger,
      dynamoDBClient: client,
      onMessage: (report) => void reports.push(report),
    });
    await handler({ Records: [record(type, { order: '7' })] });
    return reports.at(-1);
  }
  const item = async () => (await allItems(client, tableName)).find(({ SK }) => SK?.S === 'SAGA');
  return { deliver, item };
}

describe.each(modes)('Behaviour: a saga whose state changes its form in $name mode', ({ locking }) => {
  it('is migrated by the next handler that changes it, and refused by the code before it', async () => {
    const { deliver, item } = await openOrders(locking);
    expect(await deliver(inEuros, 'Placed')).toMatchObject({ outcome: 'handled' });
    const old = await item();
    expect([old?.stateVersion, old?.schemaVersion]).toEqual([undefined, { N: '1' }]);

    expect(await deliver(inCents, 'Looked')).toMatchObject({ outcome: 'handled' });
    expect(await item()).toEqual(old);

    expect(await deliver(inCents, 'Placed')).toMatchObject({ outcome: 'handled' });
    const migrated = await item();
    expect(migrated).toMatchObject({
      stateVersion: { N: '2' },
      schemaVersion: { N: '3' },
      version: { N: '2' },
    });

    // Whoever steps back to the first release loses nothing.
    expect(await deliver(inEuros, 'Placed')).toMatchObject({
      outcome: 'failed',
      error: { code: 'UnknownStateVersion', facts: { sagaId: '7', stateVersion: 2, newest: 1 } },
    });
    expect(await item()).toEqual(migrated);

    expect(await deliver(inCents, 'Placed')).toMatchObject({ outcome: 'handled' });
    expect((await item())?.version).toEqual({ N: '3' });
  });
});
