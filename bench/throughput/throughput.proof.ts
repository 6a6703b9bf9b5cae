import { ListTablesCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { dynamoDBClient, sqsClient } from '../../test/support/engines.ts';
import { interceptCalls } from '../../test/support/intercepted-calls.ts';
import { receiveMessages } from '../../test/support/received-records.ts';
import { withResources } from '../engines/resources.ts';
import type { OrderState } from '../orders/order-data.ts';
import { eventOf, packed, placed } from '../orders/order-messages.ts';
import { appliedIn, starts, throughputOn } from './measure.ts';
import { injectServiceTimes, serviceTimesMs } from './service-times.ts';

const run = { signal: new AbortController().signal, progress: () => {} };
const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };

describe('the throughput of the local engines', () => {
  it('is measured for each contender', async () => {
    const loads = [10, 11].map((atATime) => ({ atATime, events: 1 }));
    expect(await throughputOn(clients, loads, 1, run)).toEqual({
      sagabox: { 10: expect.any(Number), 11: expect.any(Number) },
      embedded: { 10: expect.any(Number), 11: expect.any(Number) },
      itemized: { 10: expect.any(Number), 11: expect.any(Number) },
    });
  });

  it('is worth nothing if messages were not sent', async () => {
    const deaf = sqsClient();
    interceptCalls(deaf, 'call', async ({ operation, proceed }) =>
      operation === 'SendMessageBatch' ? { $metadata: {}, Successful: [], Failed: [] } : await proceed(),
    );
    const measuring = throughputOn({ ...clients, sqsClient: deaf }, [{ atATime: 2, events: 2 }], 1, run);
    await expect(measuring).rejects.toThrow('sagabox: of 8 messages 8 were applied, and 0 were sent');
    deaf.destroy();
  });

  it('is measured until it is interrupted', async () => {
    const interrupted = { ...run, signal: AbortSignal.abort(new Error('enough')) };
    const measuring = throughputOn(clients, [{ atATime: 1, events: 1 }], 1, interrupted);
    await expect(measuring).rejects.toThrow('enough');
  });
});

describe('the contenders', () => {
  const orderIds = Array.from({ length: 10 }, (_, index) => `order-${index}`);
  const opening = eventOf(orderIds.map((orderId) => placed(orderId, { note: 'new' } as OrderState)));
  const packing = [1, 2].map((day) =>
    eventOf(orderIds.map((orderId) => packed(orderId, [{ orderId, day }]))),
  );

  it.each(Object.entries(starts))('do the same work, once: %s', async (_name, start) => {
    await withResources(clients, 'throughput', async (resources) => {
      const deliver = start(resources);
      await deliver(opening);
      // Each message twice: the second time it changes and sends nothing.
      for (const event of [...packing, ...packing]) await deliver(event);
      expect(await appliedIn(resources, orderIds)).toBe(20);

      const sent: string[] = [];
      for (let received = 1; received > 0; ) {
        const messages = await receiveMessages(resources.sqsClient, resources.queueUrl);
        sent.push(...messages.map(({ Body = '' }) => Body));
        received = messages.length;
      }
      const parcels = [1, 2].flatMap((day) => orderIds.map((orderId) => JSON.stringify({ orderId, day })));
      expect(sent.toSorted()).toEqual(parcels.toSorted());
    });
  });

  it.each(Object.entries(starts))('report a message that fails: %s', async (_name, start) => {
    await withResources(clients, 'throughput', async (resources) => {
      const deliver = start({ ...resources, queueUrl: `${resources.queueUrl}-gone` });
      await deliver(opening);
      await expect(deliver(eventOf([packed('order-1', [{}])]))).rejects.toThrow();
    });
  });
});

describe('the injected service times', () => {
  const timed = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
  injectServiceTimes(timed);
  const refusedTransaction = new TransactWriteItemsCommand({ TransactItems: [] });
  const refusedSend = new SendMessageCommand({ QueueUrl: 'http://localhost/nowhere', MessageBody: 'any' });

  it.each<[string, () => Promise<unknown>, number]>([
    ['a call', () => timed.dynamoDBClient.send(new ListTablesCommand({})), serviceTimesMs.call],
    [
      'a refused transaction',
      () => timed.dynamoDBClient.send(refusedTransaction),
      serviceTimesMs.transaction,
    ],
    ['a refused send', () => timed.sqsClient.send(refusedSend), serviceTimesMs.send],
  ])('are the least that %s takes', async (_call, send, milliseconds) => {
    const startedAt = performance.now();
    await Promise.allSettled([send()]);
    // A timer of Node may end a fraction of a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThan(milliseconds - 1);
  });
});
