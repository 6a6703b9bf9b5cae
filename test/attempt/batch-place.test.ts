import { describe, expect, it } from '@jest/globals';
import { type DeliveryDeadline, NotStarted } from '../../lib/attempt/invocation-deadline.ts';
import { SagaQueues } from '../../lib/attempt/saga-queue/saga-queue.ts';
import { type BatchDelivery, newDelivery, takeTurn } from '../support/attempts.ts';
import { errorOf } from '../support/error-of.ts';

const order = { name: 'Order', id: '7' };
const never = new AbortController().signal;
const notStarted = new NotStarted('InvocationTimeout', { messageId: 'm2', remainingTimeMs: 5 });

const settled = async () => await new Promise(setImmediate);

const noTime: DeliveryDeadline = {
  assertTimeToStart: () => {
    throw notStarted;
  },
  remainingMs: 0,
  startableForMs: 0,
  untilGiveUp: (call) => call(never),
  onStartMargin: () => () => {},
};

/** A delivery that has its turn, and another one that will wait for it. */
async function lateDelivery(time: DeliveryDeadline | 'endless' = noTime) {
  const queues = new SagaQueues();
  const delivery = newDelivery(queues);
  const late = time === 'endless' ? newDelivery(queues) : newDelivery(queues, time);
  await takeTurn(delivery, order, 'm1', never);
  return { queues, delivery, late };
}

describe('the turn of a delivery', () => {
  it('is kept over all of its attempts, and given on at its end, in the order of asking', async () => {
    const queues = new SagaQueues();
    const [first, second, third] = [newDelivery(queues), newDelivery(queues), newDelivery(queues)];
    const taken: string[] = [];
    const take = async (delivery: BatchDelivery, messageId: string) => {
      await takeTurn(delivery, order, messageId, never);
      taken.push(messageId);
    };
    await take(first, 'm1');
    await take(first, 'm1');
    const waiting = Promise.all([take(second, 'm2'), take(third, 'm3')]);
    await settled();
    expect([first.batch.saga, second.batch.saga, taken]).toEqual([order, order, ['m1', 'm1']]);
    first.end();
    await settled();
    expect(taken).toEqual(['m1', 'm1', 'm2']);
    second.end();
    await waiting;
    expect(taken).toEqual(['m1', 'm1', 'm2', 'm3']);
  });

  it('is for one saga: those of others go on meanwhile', async () => {
    const queues = new SagaQueues();
    await takeTurn(newDelivery(queues), order, 'm1', never);
    await takeTurn(newDelivery(queues), { name: 'Order', id: '8' }, 'm2', never);
    await takeTurn(newDelivery(queues), { name: 'Invoice', id: '7' }, 'm3', never);
  });

  it('that would come after the end does not come, and those behind go on in theirs', async () => {
    const { queues, delivery, late } = await lateDelivery('endless');
    const waiting = takeTurn(late, order, 'm2', never);
    waiting.catch(() => {});
    let isNext = false;
    const next = takeTurn(newDelivery(queues), order, 'm3', never).then(() => {
      isNext = true;
    });
    late.end();
    await settled();
    expect(isNext).toBe(false);
    delivery.end();
    await expect(waiting).rejects.toThrow('returned before its turn');
    await next;
  });

  it('that comes when the time is up starts nothing, and is given on', async () => {
    const { queues, delivery, late } = await lateDelivery();
    const waiting = errorOf(takeTurn(late, order, 'm2', never));
    delivery.end();
    expect(await waiting).toBe(notStarted);
    late.end();
    await takeTurn(newDelivery(queues), order, 'm3', never);
  });

  it('that does not come before the end of the invocation leaves the message as not started', async () => {
    const { queues, delivery, late } = await lateDelivery();
    const controller = new AbortController();
    const waiting = errorOf(takeTurn(late, order, 'm2', controller.signal));
    controller.abort(new Error('time is up'));
    expect(await waiting).toBe(notStarted);
    late.end();
    delivery.end();
    await takeTurn(newDelivery(queues), order, 'm3', never);
  });
});
