import { beforeEach, describe, expect, it } from '@jest/globals';
import { defineContract, idempotencyKeyHeader, type OutboxSessionContext } from 'sagabox';
import { testSession } from 'sagabox/testing';
import { z } from 'zod';
import { refusalOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { httpApiEvent } from '../../support/http-events.ts';

type HttpEvent = ReturnType<typeof httpApiEvent>;

let runs: number;
beforeEach(() => {
  runs = 0;
});

async function placeOrder(event: HttpEvent, { send, transaction, awsRequestId }: OutboxSessionContext) {
  runs += 1;
  const { orderId } = JSON.parse(event.body);
  if (orderId === 'broken') throw new Error('The order is broken');
  transaction.add({ Put: { TableName: 'orders', Item: { orderId: { S: orderId } } } });
  send('orders', 'OrderPlaced', { orderId });
  return { statusCode: orderId === 'late' ? 503 : 201, body: `${runs} ${awsRequestId}` };
}

const options = { idempotencyKey: idempotencyKeyHeader(), requireIdempotencyKey: true };
const keyed = (key: string, body = '{"orderId":"1"}') =>
  httpApiEvent({ headers: { 'idempotency-key': key }, body });

describe('a session handler in memory', () => {
  it('shows its response, messages and writes, and answers a repeated request without it', async () => {
    const test = testSession(placeOrder, options);
    const first = await test.run(keyed('k1'));
    expect(first).toMatchObject({
      response: { statusCode: 201, body: '1 request-1' },
      hasRun: true,
      isCommitted: true,
      outgoing: [{ destination: 'orders', type: 'OrderPlaced', body: { orderId: '1' } }],
      transactionItems: [{ Put: { TableName: 'orders' } }],
    });
    const again = await test.run(keyed('k1'));
    expect(again.response).toEqual(first.response);
    expect(again).toMatchObject({ hasRun: false, isCommitted: false, outgoing: [], transactionItems: [] });
    expect([test.outgoing.length, test.transactionItems.length]).toEqual([1, 1]);
  });

  it('answers as production does to other bodies, missing keys and failures', async () => {
    const test = testSession(placeOrder, options);
    await test.run(keyed('k1'));
    const statusOf = async (event: HttpEvent) => (await test.run(event)).response.statusCode;
    expect(await statusOf(keyed('k1', '{"orderId":"2"}'))).toBe(422);
    expect(await statusOf(httpApiEvent())).toBe(400);
    expect(await test.run(keyed('k2', '{"orderId":"late"}'))).toMatchObject({
      response: { statusCode: 503 },
      isCommitted: false,
    });
    await expect(test.run(keyed('k3', '{"orderId":"broken"}'))).rejects.toThrow('The order is broken');
    expect(test.outgoing).toHaveLength(1);
  });

  it('lets both of two run, and one commit', async () => {
    const test = testSession(placeOrder, options);
    const both = await Promise.all([test.run(keyed('k1')), test.run(keyed('k1'))]);
    expect(both.map(({ hasRun }) => hasRun)).toEqual([true, true]);
    expect(both.filter(({ isCommitted }) => isCommitted)).toHaveLength(1);
    expect(both[0]?.response).toEqual(both[1]?.response);
    expect(test.outgoing).toHaveLength(1);
  });

  it('lets one of two run if it is exclusive', async () => {
    const exclusive = { leaseDuration: { seconds: 30 } };
    const test = testSession(placeOrder, { ...options, exclusive });
    const both = await Promise.all([test.run(keyed('k1')), test.run(keyed('k1'))]);
    expect(both.map(({ hasRun }) => hasRun)).toEqual([true, false]);
    expect(both[1]?.response).toEqual(both[0]?.response);
  });

  it('gives an exclusive session up to another one when its process died, and its lease ended', async () => {
    const exclusive = { leaseDuration: { seconds: 30 }, waitTimeout: { minutes: 1 } };
    const test = testSession(placeOrder, { ...options, exclusive });
    await test.crash(keyed('k1'), 'beforeCommit');
    expect(await test.run(keyed('k1'))).toMatchObject({ hasRun: true, isCommitted: true });
    const impatient = testSession(placeOrder, { ...options, exclusive: { leaseDuration: { minutes: 1 } } });
    await impatient.crash(keyed('k1'), 'beforeCommit');
    expect((await impatient.run(keyed('k1'))).response.statusCode).toBe(409);
  });

  it.each([
    ['beforeCommit', 0, 2, 1],
    ['afterCommit', 0, 1, 1],
    ['afterDispatch', 1, 1, 2],
  ] as const)(
    'killed %s, has sent %i, and runs %i times until it is repeated',
    async (at, sent, timesRun, sentThen) => {
      const test = testSession(placeOrder, options);
      await test.crash(keyed('k1'), at);
      expect(test.outgoing).toHaveLength(sent);
      const { response } = await test.run(keyed('k1'));
      expect(response.statusCode).toBe(201);
      expect(runs).toBe(timesRun);
      expect(test.outgoing).toHaveLength(sentThen);
      expect(new Set(test.outgoing.map(({ id }) => id)).size).toBe(1);
      expect(test.transactionItems).toHaveLength(1);
    },
  );

  it('leaves to the relay what a killed process has committed', async () => {
    const test = testSession(placeOrder, options);
    expect(await test.relay()).toBe(0);
    await test.crash(keyed('k1'), 'afterCommit');
    expect(await test.relay()).toBe(1);
    expect(await test.relay()).toBe(0);
    expect(test.outgoing).toHaveLength(1);
    expect((await test.run(keyed('k1'))).hasRun).toBe(false);
  });

  it('takes any event, and a new one each time without a key', async () => {
    const count = async (_event: { n: number }, { send }: OutboxSessionContext) =>
      send('counts', 'Counted', {});
    const test = testSession(count);
    await test.run({ n: 1 });
    await test.run({ n: 1 });
    expect(new Set(test.outgoing.map(({ id }) => id)).size).toBe(2);
  });

  it('checks contracts, and destinations if they are given', async () => {
    const billing = defineContract('billing', { ChargeCard: z.object({ orderId: z.string() }) });
    const charge = testSession(
      async (orderId: unknown, { send }) => {
        send('billing', 'ChargeCard', { orderId: orderId as string });
        // @ts-expect-error: the contract has no such message
        if (orderId === 'other') send('billing', 'Other', {});
      },
      { sends: [billing], destinations: ['billing'] },
    );
    await charge.run('1');
    expect((await sagaboxErrorOf(charge.run(1))).code).toBe('InvalidOutgoingMessage');
    const elsewhere = testSession(placeOrder, { ...options, destinations: ['billing'] });
    expect((await sagaboxErrorOf(elsewhere.run(keyed('k1')))).message).toMatch(
      /'orders': it is not configured/,
    );
  });

  it('commits and sends nothing that an asynchronous schema refuses', async () => {
    const known = z.object({ orderId: z.string().refine(async (id) => id !== '13') });
    const billing = defineContract('billing', { ChargeCard: known });
    const charge = testSession(
      async (orderId: string, { send, transaction }) => {
        transaction.add({ Put: { TableName: 'orders', Item: { orderId: { S: orderId } } } });
        send('billing', 'ChargeCard', { orderId });
      },
      { sends: [billing] },
    );
    expect((await sagaboxErrorOf(charge.run('13'))).code).toBe('InvalidOutgoingMessage');
    expect([charge.outgoing, charge.transactionItems]).toEqual([[], []]);
    expect(await charge.run('14')).toMatchObject({ isCommitted: true });
  });

  it('refuses options and crashes that cannot be', async () => {
    expect(refusalOf(() => testSession(placeOrder, { idempotenceKey: 1 } as never)).code).toBe(
      'Configuration',
    );
    const test = testSession(placeOrder, options);
    await test.run(keyed('k1'));
    expect((await sagaboxErrorOf(test.crash(keyed('k1'), 'afterCommit'))).message).toMatch(/ended before/);
    expect((await sagaboxErrorOf(test.crash(keyed('k2'), 'aferCommit' as never))).message).toMatch(
      /there is no point 'aferCommit'/,
    );
  });
});
