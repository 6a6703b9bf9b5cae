import { describe, expect, it } from '@jest/globals';
import { defineHandlers, type MessageLogger } from 'sagabox';
import { testHandlers } from 'sagabox/testing';
import * as v from 'valibot';
import { sagaboxErrorOf } from '../support/error-of.ts';

/** Handlers without a saga, their schemas in valibot. */
const billing = defineHandlers({
  messages: {
    ChargeCard: v.object({ orderId: v.string(), amount: v.pipe(v.string(), v.transform(Number)) }),
    Report: v.object({}),
    Post: v.object({ group: v.optional(v.string()) }),
    Overload: v.object({ items: v.number() }),
  },
  handlers: {
    async ChargeCard({ body }, { reply, transaction }) {
      transaction.add({ Put: { TableName: 'charges', Item: { amount: { N: String(body.amount) } } } });
      reply('CardCharged', { orderId: body.orderId });
    },
    Report(message, { logger, functionName, requestTimeout, getRemainingTimeInMillis }) {
      logger.info(`${functionName} has ${getRemainingTimeInMillis()} ms`, {
        receiveCount: message.receiveCount,
      });
      requestTimeout('Report', {}, { after: { minutes: 1 } });
    },
    Post({ body: { group } }, { send }) {
      send('ledger', 'Posted', {}, group === undefined ? {} : { messageGroupId: group });
    },
    Overload({ body }, { transaction }) {
      for (let index = 0; index < body.items; index += 1) {
        transaction.add({ Delete: { TableName: 'charges', Key: { orderId: { S: String(index) } } } });
      }
    },
  },
});

describe('testHandlers', () => {
  it('runs a handler with its validated message, and answers the sender', async () => {
    const test = testHandlers(billing);
    const { outcome, sagaId } = await test.deliver('ChargeCard', { orderId: '1', amount: '9.5' });

    expect({ outcome, sagaId }).toEqual({ outcome: 'handled', sagaId: undefined });
    expect(test.transactionItems).toEqual([
      { Put: { TableName: 'charges', Item: { amount: { N: '9.5' } } } },
    ]);
    const charged = { type: 'CardCharged', body: { orderId: '1' } };
    expect(test.outgoing).toMatchObject([{ ...charged, destination: 'sender' }]);
    await test.deliver('ChargeCard', { orderId: '1', amount: '1' }, { replyTo: 'orders' });
    expect(test.outgoing.at(-1)?.destination).toBe('orders');
  });

  it('finds duplicates, also among messages that are delivered at one time', async () => {
    const test = testHandlers(billing);
    const charge = () => test.deliver('ChargeCard', { orderId: '1', amount: '1' }, { id: 'charge-1' });
    const results = await Promise.all([charge(), charge()]);
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['duplicate', 'handled']);
    expect(test.outgoing).toHaveLength(1);
    expect((await charge()).outcome).toBe('duplicate');
  });

  it('gives the Lambda context and the logger of the test', async () => {
    const lines: unknown[] = [];
    const info: MessageLogger['info'] = (...line) => void lines.push(line);
    const test = testHandlers(billing, {
      logger: { info, warn: info, error: info },
      context: { functionName: 'Billing' },
    });
    await test.deliver('Report', {}, { receiveCount: 3 });
    const told = {
      endpoint: 'test',
      messageId: 'message-1',
      messageType: 'Report',
      conversationId: 'message-1',
    };
    expect(lines).toEqual([['Billing has 30000 ms', { ...told, receiveCount: 3 }]]);
  });

  it('fires timeouts again and again', async () => {
    const test = testHandlers(billing);
    await test.deliver('Report', {});
    expect(await test.advance({ hours: 1 })).toHaveLength(60);
  });

  it('holds FIFO queues to their rules', async () => {
    const test = testHandlers(billing, { destinations: { ledger: 'https://sqs.test/1/ledger.fifo' } });
    expect((await sagaboxErrorOf(test.deliver('Post', {}))).code).toBe('InvalidOutgoingMessage');
    await test.deliver('Post', { group: 'a' });
    expect(test.outgoing).toMatchObject([{ destination: 'ledger', messageGroupId: 'a' }]);
  });

  it.each([
    [99, 'handled'],
    [100, 'TransactionLimit'],
  ])('%i writes beside the outbox record -> %s', async (items, expected) => {
    const test = testHandlers(billing);
    const delivered = test.deliver('Overload', { items });
    if (expected === 'handled') expect((await delivered).outcome).toBe('handled');
    else expect((await sagaboxErrorOf(delivered)).code).toBe(expected);
  });
});
