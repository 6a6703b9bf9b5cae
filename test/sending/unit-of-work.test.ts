import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import type { OutgoingMessage } from '../../lib/messages/message.ts';
import { outgoingMessageId } from '../../lib/messages/message-id.ts';
import { wireAttributes, wireBytes } from '../../lib/messages/wire-format/wire.ts';
import { PendingTimeouts } from '../../lib/sending/pending-timeouts.ts';
import { SAGA_VERSION_PLACE, withSagaVersion } from '../../lib/sending/saga-version.ts';
import type { UnitOfWorkContext } from '../../lib/sending/unit-of-work-context.ts';
import { lastOf, refusalOf, unitOfWork } from './unit-of-work-of.ts';

describe('send', () => {
  it('records a message, with what its receivers need to know', () => {
    const work = unitOfWork();
    work.context.send('billing', 'ChargeCard', { total: 10 }, { headers: { tenant: 'a' } });
    expect(work.operations).toEqual([
      {
        id: outgoingMessageId('in-1', 'orders', 0),
        destination: 'billing',
        type: 'ChargeCard',
        body: { total: 10 },
        headers: {
          tenant: 'a',
          'Sagabox.ConversationId': 'in-1',
          'Sagabox.CausationId': 'in-1',
          'Sagabox.ReplyTo': 'orders',
          'Sagabox.SentAt': '2026-01-02T03:04:05.678Z',
        },
      },
    ]);
  });

  it('carries the conversation on', () => {
    const work = unitOfWork({ 'Sagabox.ConversationId': 'first' });
    work.context.send('billing', 'ChargeCard', {});
    expect(lastOf(work).headers['Sagabox.ConversationId']).toBe('first');
    expect(lastOf(work).headers['Sagabox.CausationId']).toBe('in-1');
  });

  it('gives each message an id by its place, whatever it is', () => {
    const work = unitOfWork();
    const { context } = work;
    context.send('billing', 'Same', {});
    context.send('billing', 'Same', {});
    context.reply('Other', {});
    context.requestTimeout('Later', {}, { after: { minutes: 1 } });
    expect(work.operations.map(({ id }) => id)).toEqual(
      [0, 1, 2, 3].map((ordinal) => outgoingMessageId('in-1', 'orders', ordinal)),
    );
  });

  it('that was refused takes no place', () => {
    const work = unitOfWork();
    const { context } = work;
    refusalOf(() => context.send('nobody', 'A', {}));
    context.send('billing', 'B', {});
    expect(work.operations.map(({ id }) => id)).toEqual([outgoingMessageId('in-1', 'orders', 0)]);
  });

  it('takes a copy: what the handler does to its object later changes nothing', () => {
    const work = unitOfWork();
    const body = { lines: [{ count: 1 }] };
    const headers = { tenant: 'a' };
    work.context.send('billing', 'ChargeCard', body, { headers });
    body.lines.push({ count: 2 });
    headers.tenant = 'b';
    expect(lastOf(work).body).toEqual({ lines: [{ count: 1 }] });
    expect(lastOf(work).headers.tenant).toBe('a');
  });

  it('to a destination that is not configured tells those that are', () => {
    const error = refusalOf(() => unitOfWork().context.send('shipping', 'A', {}));
    expect(error.code).toBe('Configuration');
    expect(error.message).toContain('orders, billing, ledger');
    expect(error.message).toContain('sendsTo');
  });

  it.each(['__proto__', 'constructor', ''])('to %j finds no destination', (name) => {
    expect(refusalOf(() => unitOfWork().context.send(name, 'A', {})).code).toBe('Configuration');
  });
});

describe('reply', () => {
  it('goes to the endpoint that sent the message', () => {
    const work = unitOfWork({ 'Sagabox.ReplyTo': 'billing' });
    work.context.reply('CardCharged', {}, { delay: { seconds: 5 } });
    expect(lastOf(work)).toMatchObject({ destination: 'billing', delaySeconds: 5 });
  });

  it('is refused when the sender is not known', () => {
    const error = refusalOf(() => unitOfWork({}).context.reply('CardCharged', {}));
    expect(error.code).toBe('InvalidOutgoingMessage');
    expect(error.facts).toEqual({
      messageType: 'CardCharged',
      destination: 'the sender',
      detail: "message 'in-1' has no 'Sagabox.ReplyTo' attribute: send to a named destination instead",
    });
  });

  it('is refused when the sender is no destination', () => {
    const work = unitOfWork({ 'Sagabox.ReplyTo': 'shipping' });
    expect(refusalOf(() => work.context.reply('CardCharged', {})).code).toBe('Configuration');
  });
});

describe('requestTimeout', () => {
  it('sends to the endpoint itself, later', () => {
    const work = unitOfWork();
    work.context.requestTimeout('PaymentTimedOut', { orderId: '1' }, { after: { minutes: 15 } });
    expect(lastOf(work)).toMatchObject({ destination: 'orders', delaySeconds: 900, body: { orderId: '1' } });
  });
});

describe('a FIFO destination', () => {
  const identity = { name: 'OrderSaga', id: '42' };
  const saga = { identity, timeouts: new PendingTimeouts(), messageTypes: [] };

  it.each(['ledger', 'fifo-topic'])(
    '%s gets the messages of one saga in one group, unless told otherwise',
    (name) => {
      const work = unitOfWork({}, { saga });
      work.context.send(name, 'A', {});
      expect(lastOf(work).messageGroupId).toBe('OrderSaga#42');
      work.context.send(name, 'A', {}, { messageGroupId: 'mine' });
      expect(lastOf(work).messageGroupId).toBe('mine');
    },
  );

  it('is the only one that does', () => {
    const work = unitOfWork({}, { saga });
    work.context.send('billing', 'A', {});
    expect(lastOf(work)).not.toHaveProperty('messageGroupId');
  });
});

describe('the version of a saga', () => {
  const identity = { name: 'OrderSaga', id: '42' };
  const saga = { identity, timeouts: new PendingTimeouts(), messageTypes: ['Late'] };

  it('has its place in what its handler sends, until the commit is planned', () => {
    const work = unitOfWork(undefined, { saga });
    work.context.send('billing', 'A', {});
    work.context.reply('B', {});
    work.context.requestTimeout('Late', {}, { after: { minutes: 1 } });
    for (const operation of work.operations)
      expect(operation).toMatchObject({ headers: { 'Sagabox.SagaVersion': SAGA_VERSION_PLACE } });
  });

  it('leaves its messages within the limit of their destination, whichever it is', () => {
    const work = unitOfWork(undefined, { saga });
    work.context.send('billing', 'A', '');
    const maxBytes = 1024 * 1024;
    const largest = maxBytes - wireBytes(lastOf(work));
    expect(() => work.context.send('billing', 'A', 'x'.repeat(largest + 1))).toThrow(`over the ${maxBytes}`);
    work.context.send('billing', 'A', 'x'.repeat(largest));
    const [last] = withSagaVersion([lastOf(work)], Number.MAX_SAFE_INTEGER) as [OutgoingMessage];
    expect(wireBytes(last)).toBeLessThanOrEqual(maxBytes);
  });

  it('is on nothing that no saga sends, and on nothing that leaves before the commit', async () => {
    const work = unitOfWork();
    work.context.send('billing', 'A', {});
    expect(lastOf(work).headers).not.toHaveProperty(['Sagabox.SagaVersion']);
    const sent: OutgoingMessage[] = [];
    const ofSaga = unitOfWork(undefined, { saga, dispatchNow: async (message) => void sent.push(message) });
    await ofSaga.context.sendImmediately('billing', 'A', {});
    expect(sent[0]?.headers).toMatchObject({ 'Sagabox.Saga': 'OrderSaga' });
    expect(sent[0]?.headers).not.toHaveProperty(['Sagabox.SagaVersion']);
  });

  it('leaves seven attributes to the user', () => {
    const headers = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`h-${index}`, 'a']));
    const work = unitOfWork(undefined, { saga });
    work.context.send('billing', 'A', {}, { headers });
    const attributes = wireAttributes(lastOf(work));
    expect(Object.keys(attributes)).toHaveLength(10);
    expect(attributes['Sagabox.Headers']).toContain(`"Sagabox.SagaVersion":"${SAGA_VERSION_PLACE}"`);
  });
});

describe('sendImmediately', () => {
  it('gives ids by its own places, which no recorded message has', async () => {
    const ids: string[] = [];
    const work = unitOfWork({}, { dispatchNow: async ({ id }) => void ids.push(id) });
    await work.context.sendImmediately('billing', 'A', {});
    work.context.send('billing', 'B', {});
    await work.context.sendImmediately('billing', 'C', {});
    expect(ids).toEqual([1, 2].map((place) => outgoingMessageId('in-1', 'orders', `immediately ${place}`)));
    expect(work.operations.map(({ id }) => id)).toEqual([outgoingMessageId('in-1', 'orders', 0)]);
  });

  it('tells at the end what failed, and only that', async () => {
    const failure = new Error('SQS is away');
    const work = unitOfWork(
      {},
      { dispatchNow: ({ type }) => (type === 'B' ? Promise.reject(failure) : Promise.resolve()) },
    );
    for (const type of ['A', 'B', 'C'])
      void work.context.sendImmediately('billing', type, {}).catch(() => {});
    expect(await work.settle(new AbortController().signal)).toEqual([failure]);
  });

  it('that nobody awaits ends no process, is waited for, and has its error told', async () => {
    const late = Promise.withResolvers<void>();
    const failures = [new Error('at once'), new Error('late')];
    const dispatchNow = ({ type }: { type: string }) =>
      type === 'A' ? Promise.reject(failures[0]) : late.promise;
    const work = unitOfWork({}, { dispatchNow });
    for (const type of ['A', 'B']) void work.context.sendImmediately('billing', type, {});
    await new Promise(setImmediate);
    const settling = work.settle(new AbortController().signal);
    late.reject(failures[1]);
    expect(await settling).toEqual(failures);
  });

  it.each([true, false])(
    'is not waited for beyond the end of the invocation (over before: %s)',
    async (before) => {
      const work = unitOfWork({}, { dispatchNow: () => new Promise(() => {}) });
      void work.context.sendImmediately('billing', 'A', {});
      const controller = new AbortController();
      if (before) controller.abort();
      const settling = work.settle(controller.signal);
      controller.abort();
      expect(await settling).toEqual([]);
    },
  );
});

describe('the unit of work', () => {
  const write: TransactWriteItem = { Delete: { TableName: 'carts', Key: { id: { S: '1' } } } };

  it('records writes of the handler in their order', () => {
    const work = unitOfWork();
    const second = { Delete: { TableName: 'carts', Key: { id: { S: '2' } } } };
    work.context.transaction.add(write);
    work.context.transaction.add(second);
    expect(work.transactionItems).toEqual([write, second]);
  });

  it('refuses to add what is no write, at once, and tells which one it is', () => {
    const work = unitOfWork();
    work.context.transaction.add(write);
    const error = refusalOf(() => work.context.transaction.add({}));
    expect(error).toMatchObject({ code: 'InvalidTransactionItem', facts: { index: 1 } });
    expect(work.transactionItems).toEqual([write]);
  });

  it('keeps a write as it was when it was added', () => {
    const work = unitOfWork();
    const item = { Put: { TableName: 't', Item: { PK: { S: 'a' } } } };
    work.context.transaction.add(item);
    item.Put.Item.PK.S = 'b';
    expect(work.transactionItems).toEqual([{ Put: { TableName: 't', Item: { PK: { S: 'a' } } } }]);
  });

  it.each<[string, (context: UnitOfWorkContext) => unknown]>([
    ['send', ({ send }) => send('billing', 'A', {})],
    ['publish', ({ publish }) => publish('A', {})],
    ['reply', ({ reply }) => reply('A', {})],
    ['requestTimeout', ({ requestTimeout }) => requestTimeout('A', {}, { after: { seconds: 1 } })],
    ['cancelTimeout', ({ cancelTimeout }) => cancelTimeout('A')],
    ['transaction.add', ({ transaction }) => transaction.add(write)],
  ])('takes nothing by %s once the handler has returned', (_member, call) => {
    const work = unitOfWork();
    const { context } = work;
    work.seal();
    expect(refusalOf(() => call(context)).message).toContain(
      'the handler has already returned: await every promise in it',
    );
    expect([...work.operations, ...work.transactionItems]).toEqual([]);
  });
});
