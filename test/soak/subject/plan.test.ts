import { describe, expect, it } from '@jest/globals';
import { defaults as options } from '../options.ts';
import { type Closing, messageTypes } from './account-saga.ts';
import { modes } from './modes.ts';
import { noticeTypes } from './notices.ts';
import { planRound } from './plan.ts';
import { requestTypes } from './request.ts';

describe('the messages of a round', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(planRound(options, 'r', 1)).toEqual(planRound(options, 'r', 1));
    expect(planRound(options, 'r', 1)).not.toEqual(planRound(options, 'r', 2));
  });

  it('come twice in the share that is asked for, in both ways', () => {
    const plan = planRound(options, 'r', 1);
    const messages = [
      ...plan.bookings,
      ...plan.inquiries,
      ...plan.notices,
      ...plan.requests,
      ...plan.closings,
    ];
    const sentTwice = messages.filter(({ duplicate }) => duplicate === 'sentTwice').length;
    const redelivered = messages.filter(({ duplicate }) => duplicate === 'redelivered').length;
    expect((sentTwice + redelivered) / messages.length).toBeCloseTo(0.2, 1);
    expect(Math.min(sentTwice, redelivered)).toBeGreaterThan(0.05 * messages.length);
    expect([...plan.deliveries, ...plan.closingDeliveries]).toHaveLength(messages.length + sentTwice);
    expect(planRound({ ...options, duplicatesPercent: 0 }, 'r', 1).deliveries).toHaveLength(options.messages);
  });

  it('have copies that follow soon, and copies that come later', () => {
    const { deliveries } = planRound({ ...options, duplicatesPercent: 100 }, 'r', 1);
    const places = Map.groupBy(deliveries.keys(), (place) => deliveries[place]?.id);
    const distances = [...places.values()].flatMap(([first = 0, second]) =>
      second === undefined ? [] : [second - first],
    );
    const near = distances.filter((distance) => distance < 100).length;
    expect(near).toBeGreaterThan(0.3 * distances.length);
    expect(distances.length - near).toBeGreaterThan(0.3 * distances.length);
  });

  it('are for sagas, for none and for sessions, and several are too large for one item', () => {
    const { bookings, inquiries, notices, requests } = planRound(options, 'r', 1);
    expect(bookings.length).toBeGreaterThan(0.6 * options.messages);
    expect(inquiries.length).toBeGreaterThan(0.05 * options.messages);
    for (const type of Object.values(noticeTypes)) {
      expect(notices.filter((notice) => notice.type === type).length).toBeGreaterThan(
        0.02 * options.messages,
      );
    }
    for (const type of Object.values(requestTypes)) {
      const some = requests.filter((request) => request.type === type);
      expect(some.length).toBeGreaterThan(0.02 * options.messages);
      expect(new Set(some.map(({ body }) => body.writes)).size).toBe(2);
    }
    const large = [...bookings, ...inquiries, ...notices, ...requests].filter(
      ({ body }) => body.fillingBytes > 0,
    );
    expect(large.length).toBeGreaterThan(10);
    expect(large.every(({ body }) => body.sends === 3)).toBe(true);
  });

  it('close every other account, and start a third of these anew', () => {
    const { bookings, closings, renewed, closingDeliveries } = planRound(options, 'r', 1);
    const closed = new Set(closings.map(({ body }) => body.account));
    expect(closed.size).toBe(options.sagas / 2);
    expect(renewed.size / closed.size).toBeCloseTo(1 / 3, 1);
    for (const account of renewed) {
      expect(closings.filter(({ body }) => body.account === account).length).toBeGreaterThan(1);
      const anew = bookings.filter(({ body }) => body.account === account && body.number >= options.messages);
      expect(anew.length).toBeGreaterThan(1);
      expect(closingDeliveries).toEqual(expect.arrayContaining(anew));
    }
    const types = (messages: readonly { type: string }[]) => new Set(messages.map(({ type }) => type));
    const closedAnew = closings.filter(({ body }) => renewed.has(body.account));
    expect(types(closedAnew)).toEqual(new Set(modes.map((mode) => messageTypes.closing(mode))));
  });

  it('come to sagas that stay open after a change of their outbox form', () => {
    const { closings, closingDeliveries } = planRound(options, 'r', 1);
    const closed = new Set(closings.map(({ body }) => body.account));
    const open = closingDeliveries.filter(({ body }) => !closed.has((body as Closing).account));
    expect(new Set(open.map(({ type }) => type))).toEqual(new Set(['forwardBooking', 'backBooking']));
  });

  it('are of all modes, or of one', () => {
    const types = (mode: (typeof modes)[number] | 'mixed') =>
      new Set(planRound({ ...options, mode }, 'r', 1).bookings.map(({ type }) => type));
    expect([...types('mixed')].sort()).toEqual([
      'backBooking',
      'embeddedBooking',
      'embeddedPessimisticBooking',
      'eventualBooking',
      'forwardBooking',
      'optimisticBooking',
      'ownStoreBooking',
      'pessimisticBooking',
    ]);
    expect([...types('eventual')]).toEqual(['eventualBooking']);
  });
});
