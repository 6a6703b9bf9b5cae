import { describe, expect, it } from '@jest/globals';
import { dynamoDBClient, sqsClient } from '../../test/support/engines.ts';
import { interceptCalls } from '../../test/support/intercepted-calls.ts';
import { receiveMessages } from '../../test/support/received-records.ts';
import { type Resources, withResources } from '../engines/resources.ts';
import { compareThroughput } from './compare.ts';
import type { StartContender } from './contender.ts';
import { startItemized } from './itemized.ts';
import { ledgerOf } from './ledger.ts';
import { startSagabox, startSagaboxDefaultConcurrency } from './sagabox.ts';
import { eventOf, opened, packed } from './shipment-messages.ts';

const { signal } = new AbortController();
const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };

describe('the throughput of the local engines', () => {
  it('is told of each contender, and their ratio', async () => {
    const load = { atATime: 10, messages: 20, rounds: 2 };
    const [figures] = await compareThroughput(clients, [load], signal);
    expect(figures).toEqual({
      sagabox: expect.any(Number),
      itemized: expect.any(Number),
      ratio: (figures?.sagabox ?? 0) / (figures?.itemized ?? 0),
    });
    expect(figures?.ratio).toBeGreaterThan(0);
  }, 60_000);

  it('is told of the default concurrency too, where an event has more messages than that', async () => {
    const loads = [10, 11].map((atATime) => ({ atATime, messages: atATime, rounds: 1 }));
    const [ten, eleven] = await compareThroughput(clients, loads, signal);
    expect(ten).not.toHaveProperty('sagaboxDefaultConcurrency');
    expect(eleven?.sagaboxDefaultConcurrency).toBeGreaterThan(0);
  }, 60_000);

  it('is worth nothing when messages were not sent', async () => {
    const deaf = sqsClient();
    interceptCalls(deaf, 'call', async ({ operation, proceed }) =>
      operation === 'SendMessageBatch' ? { $metadata: {}, Successful: [], Failed: [] } : await proceed(),
    );
    const load = { atATime: 2, messages: 4, rounds: 1 };
    const comparing = compareThroughput({ ...clients, sqsClient: deaf }, [load], signal);
    await expect(comparing).rejects.toThrow('sagabox: of 8 messages 8 were applied, and 0 were sent');
    deaf.destroy();
  });

  it('is measured no longer than until it is interrupted', async () => {
    const interrupt = AbortSignal.abort(new Error('enough'));
    const load = { atATime: 1, messages: 1, rounds: 1 };
    await expect(compareThroughput(clients, [load], interrupt)).rejects.toThrow('enough');
  });
});

describe('the contenders', () => {
  const shipmentIds = Array.from({ length: 10 }, (_, index) => `shipment-${index}`);
  const opening = eventOf(shipmentIds.map((shipmentId) => opened(shipmentId, `manifest of ${shipmentId}`)));
  const packing = [1, 2].map(() => eventOf(shipmentIds.map((shipmentId) => packed(shipmentId))));

  it.each([
    ['sagabox', startSagabox],
    ['sagabox-default', startSagaboxDefaultConcurrency],
    ['itemized', startItemized],
  ] as const)('do the same work, once: %s', async (name, start: StartContender) => {
    await withResources(clients, name, async (resources) => {
      const contender = start(resources);
      await contender.deliver(opening);
      for (const event of packing) await contender.deliver(event);
      const expected = {
        states: Object.fromEntries(
          shipmentIds.map((shipmentId) => [shipmentId, { packed: 2, manifest: `manifest of ${shipmentId}` }]),
        ),
        sent: 20,
      };
      expect(await ledgerOf(resources, shipmentIds)).toEqual(expected);

      for (const event of packing) await contender.deliver(event);
      expect(await ledgerOf(resources, shipmentIds)).toEqual(expected);

      const parcels = packing.flatMap(({ Records }) => Records.map(({ body }) => JSON.parse(body).parcel));
      expect((await received(resources, parcels.length)).toSorted()).toEqual(
        parcels.map((parcel) => JSON.stringify(parcel)).toSorted(),
      );
    });
  });

  it.each([
    ['sagabox', startSagabox],
    ['itemized', startItemized],
  ] as const)(
    'tell of a message that fails: %s',
    async (name, start: StartContender) => {
      await withResources(clients, name, async (resources) => {
        const gone = { ...resources, queueUrl: `${resources.queueUrl}-gone` };
        const contender = start(gone);
        await contender.deliver(opening);
        await expect(contender.deliver(eventOf([packed('shipment-1')]))).rejects.toThrow();
      });
    },
    30_000,
  );
});

async function received(resources: Resources, count: number): Promise<string[]> {
  const bodies: string[] = [];
  while (bodies.length < count) {
    const messages = await receiveMessages(resources.sqsClient, resources.queueUrl);
    if (messages.length === 0) break;
    bodies.push(...messages.map(({ Body = '' }) => Body));
  }
  return bodies;
}
