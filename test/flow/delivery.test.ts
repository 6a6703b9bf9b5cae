import { describe, expect, it } from '@jest/globals';
import type { Handling, MessageReport } from '../../lib/flow/attempt.ts';
import { begin } from '../../lib/flow/begin.ts';
import { complete } from '../../lib/flow/complete.ts';
import { Delivery, type DeliveryTime } from '../../lib/flow/delivery.ts';
import { SagaTurns } from '../../lib/flow/saga-turns.ts';
import { errorOf, sagaboxErrorOf } from '../support/error-of.ts';
import { PessimisticFlow } from './pessimistic-flow.ts';

const order = { name: 'Order', id: '7' };
const timeout = new Error('time is up');

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** A delivery of a message that places an order, up to where its handler runs. */
async function delivered(time?: DeliveryTime) {
  const subject = new PessimisticFlow();
  const reports: MessageReport[] = [];
  subject.flow.hooks.onMessage = (report) => void reports.push(report);
  const turns = new SagaTurns();
  const delivery = new Delivery(turns, time);
  const attempt = subject.start('Placed', 'm1');
  const open = async (): Promise<Handling> => {
    const handling = await begin(attempt, async (saga) => await delivery.takeTurn(saga));
    if (handling === undefined) throw new Error('There is nothing to handle');
    return handling;
  };
  return { subject, reports, turns, delivery, attempt, open };
}

describe('a delivery that is given up', () => {
  it('before the flow begins, begins it no more', async () => {
    const { delivery } = await delivered();
    expect(await errorOf(delivery.giveUp(timeout))).toBe(timeout);
    expect(() => delivery.beginning('m1')).toThrow(timeout);
  });

  it('while the flow begins is waited for, and then runs no handler', async () => {
    const { delivery, open } = await delivered();
    delivery.beginning('m1');
    await delivery.giveUp(timeout);
    expect(await errorOf(open())).toBe(timeout);
  });

  it('between the lease and the handler runs no handler', async () => {
    const { delivery, open } = await delivered();
    delivery.beginning('m1');
    const handling = await open();
    await delivery.giveUp(timeout);
    expect(() => delivery.opened(handling)).toThrow(timeout);
  });

  it('in its handler is abandoned at once, and commits nothing when the handler returns all the same', async () => {
    const { subject, reports, delivery, open } = await delivered();
    delivery.beginning('m1');
    const handling = await open();
    delivery.opened(handling);

    expect(await errorOf(delivery.giveUp(timeout))).toBe(timeout);

    expect(subject.storage.leases.size).toBe(0);
    expect(reports).toEqual([expect.objectContaining({ outcome: 'failed', error: timeout })]);
    expect(() => handling.work.context.send('billing', 'Late', {})).toThrow('already returned');
    expect(() => delivery.committing()).toThrow(timeout);
    // It was abandoned before: once is enough.
    expect(delivery.failing(handling)).toBe(false);
    expect(await errorOf(delivery.assertCommitted())).toBe(timeout);
  });

  it('in its commit is waited for, and acknowledged', async () => {
    const { subject, delivery, open } = await delivered();
    delivery.beginning('m1');
    const handling = await open();
    delivery.opened(handling);
    delivery.committing();
    await delivery.giveUp(timeout);
    await complete(handling);
    delivery.completed();
    await delivery.assertCommitted();
    expect(subject.storage.sagas.size).toBe(1);
  });

  it('while a failed attempt is settled is waited for, and so is told its own error', async () => {
    const { delivery, open } = await delivered();
    delivery.beginning('m1');
    const handling = await open();
    delivery.opened(handling);
    expect(delivery.failing(handling)).toBe(true);
    await delivery.giveUp(timeout);
    delivery.abandoned();
    expect((await sagaboxErrorOf(delivery.assertCommitted())).code).toBe('CommitSkipped');
  });

  it('after a failed attempt, in what stands around the flow, has nothing to abandon', async () => {
    const { reports, delivery, open } = await delivered();
    delivery.beginning('m1');
    const handling = await open();
    delivery.opened(handling);
    delivery.failing(handling);
    delivery.abandoned();
    expect(await errorOf(delivery.giveUp(timeout))).toBe(timeout);
    expect(reports).toEqual([]);
  });

  it('is tried again as if nothing had been', async () => {
    const { delivery, open } = await delivered();
    delivery.beginning('m1');
    delivery.opened(await open());
    await delivery.giveUp(timeout).catch(() => {});
    delivery.startAttempt();
    delivery.beginning('m1');
    await delivery.giveUp(timeout);
  });
});

describe('a delivery that fails', () => {
  const error = new Error('mapped');

  it('where no hook of ours was called is abandoned, once', async () => {
    const { subject, reports, delivery, open } = await delivered();
    delivery.beginning('m1');
    const handling = await open();
    delivery.opened(handling);
    await delivery.failed(error);
    await delivery.failed(error);
    expect(subject.storage.leases.size).toBe(0);
    expect(reports).toEqual([expect.objectContaining({ outcome: 'failed', error })]);
    expect(() => handling.work.context.send('billing', 'Late', {})).toThrow('already returned');
  });

  it('behind the hook that abandoned it has nothing left to abandon', async () => {
    const { reports, delivery, open } = await delivered();
    delivery.beginning('m1');
    const handling = await open();
    delivery.opened(handling);
    delivery.failing(handling);
    delivery.abandoned();
    await delivery.failed(error);
    expect(reports).toEqual([]);
  });

  it('behind its time has nothing left to abandon', async () => {
    const { reports, delivery, open } = await delivered();
    delivery.beginning('m1');
    delivery.opened(await open());
    await delivery.giveUp(timeout).catch(() => {});
    await delivery.failed(error);
    expect(reports).toEqual([expect.objectContaining({ error: timeout })]);
  });

  it('before there is anything to abandon, abandons nothing', async () => {
    const { reports, delivery } = await delivered();
    delivery.beginning('m1');
    await delivery.failed(error);
    expect(reports).toEqual([]);
  });
});

describe('a delivery whose handler returned', () => {
  it('without its commit is abandoned, and not acknowledged', async () => {
    const { subject, reports, delivery, open } = await delivered();
    delivery.beginning('m1');
    delivery.opened(await open());

    const error = await sagaboxErrorOf(delivery.assertCommitted());

    expect(error).toMatchObject({ code: 'CommitSkipped', facts: { messageId: 'm1' } });
    expect(subject.storage.leases.size).toBe(0);
    expect(reports).toEqual([expect.objectContaining({ outcome: 'failed', error })]);
  });

  it('without the flow having begun is none of its business', async () => {
    const { delivery } = await delivered();
    await delivery.assertCommitted();
  });
});

describe('the turn of a delivery', () => {
  it('is kept over all of its attempts, and given on at its end', async () => {
    const { delivery, turns } = await delivered();
    const behind = new Delivery(turns);
    await delivery.takeTurn(order);
    await delivery.takeTurn(order);
    expect(delivery.saga).toEqual(order);
    let turn = false;
    const waiting = behind.takeTurn(order).then(() => {
      turn = true;
    });
    await settled();
    expect([behind.saga, turn]).toEqual([order, false]);
    delivery.end();
    await waiting;
    expect(turn).toBe(true);
  });

  it('is for one saga: those of others go on meanwhile', async () => {
    const { delivery, turns } = await delivered();
    await delivery.takeTurn(order);
    await new Delivery(turns).takeTurn({ name: 'Order', id: '8' });
    await new Delivery(turns).takeTurn({ name: 'Invoice', id: '7' });
  });

  it('that comes after the end is given on at once', async () => {
    const { delivery, turns } = await delivered();
    const late = new Delivery(turns);
    await delivery.takeTurn(order);
    const waiting = late.takeTurn(order);
    late.end();
    delivery.end();
    await waiting;
    await new Delivery(turns).takeTurn(order);
  });

  it('that comes when the time is up starts nothing, and is given on', async () => {
    const { delivery, turns } = await delivered();
    const late = new Delivery(turns, {
      assertTimeToStart: () => {
        throw timeout;
      },
      startableForMs: () => 0,
      untilEnd: (call) => call(),
    });
    await delivery.takeTurn(order);
    const waiting = errorOf(late.takeTurn(order));
    delivery.end();
    expect(await waiting).toBe(timeout);
    late.end();
    await new Delivery(turns).takeTurn(order);
  });

  it('that comes when the attempt was given up starts nothing', async () => {
    const { delivery, turns } = await delivered();
    const late = new Delivery(turns);
    await delivery.takeTurn(order);
    late.beginning('m2');
    const waiting = errorOf(late.takeTurn(order));
    await late.giveUp(timeout);
    delivery.end();
    expect(await waiting).toBe(timeout);
  });
});

describe('the time of a delivery', () => {
  it('has no end outside of an invocation, and that of the invocation else', async () => {
    const untilEnd = async () => await Promise.reject(timeout);
    const time = { assertTimeToStart: () => {}, startableForMs: () => 4200, untilEnd };
    const endless = new Delivery(new SagaTurns());
    expect(endless.startableForMs).toBe(Number.POSITIVE_INFINITY);
    expect(await endless.untilEnd(async () => 'told')).toBe('told');
    const delivery = new Delivery(new SagaTurns(), time);
    expect(delivery.startableForMs).toBe(4200);
    expect(await errorOf(delivery.untilEnd(async () => 'told'))).toBe(timeout);
  });
});
