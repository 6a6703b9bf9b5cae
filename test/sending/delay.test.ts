import { describe, expect, it } from '@jest/globals';
import type { Duration } from '../../lib/kernel/duration.ts';
import type { Sending } from '../../lib/sending/sending.ts';
import { lastOf, refusalOf, refuses, unitOfWork } from './unit-of-work-of.ts';

const withScheduler = { schedules: true };

function delayed(delay: Duration, sending: Partial<Sending> = {}, destination = 'billing') {
  const work = unitOfWork(undefined, { sending });
  const group = destination.startsWith('ledger') ? { messageGroupId: 'a' } : {};
  work.context.send(destination, 'Later', {}, { delay, ...group });
  return lastOf(work);
}

describe('a delay', () => {
  it.each([
    [{ milliseconds: 1 }, 1, '2026-01-02T03:04:06.000Z'],
    [{ minutes: 15 }, 900, '2026-01-02T03:19:06.000Z'],
  ])('of %j waits in its queue, with a scheduler and without', (delay, delaySeconds, dueAt) => {
    for (const sending of [{}, withScheduler]) {
      expect(delayed(delay, sending)).toMatchObject({ delaySeconds, dueAt });
    }
  });

  it.each(['billing', 'ledger'])('of nothing is none, to a FIFO queue too: %s', (destination) => {
    const message = delayed({ seconds: 0 }, {}, destination);
    expect(message).not.toHaveProperty('delaySeconds');
    expect(message).not.toHaveProperty('dueAt');
  });

  it.each([
    [{ seconds: 900.001 }, '2026-01-02T03:19:06.000Z'],
    [{ minutes: 15, seconds: 1 }, '2026-01-02T03:19:07.000Z'],
    [{ hours: 2 }, '2026-01-02T05:04:06.000Z'],
    [{ days: 365 }, '2027-01-02T03:04:06.000Z'],
  ])('of %j waits in a schedule, until a whole second that is not earlier', (delay, dueAt) => {
    expect(delayed(delay, withScheduler)).toMatchObject({ dueAt });
    expect(delayed(delay, withScheduler)).not.toHaveProperty('delaySeconds');
  });

  it('that is long is refused without a scheduler, with the remedy', () => {
    const { code, message } = refusalOf(() => delayed({ minutes: 15, seconds: 1 }));
    expect(code).toBe('InvalidOutgoingMessage');
    expect(message).toMatch(/901 s is over the 900 s of SQS, and no scheduler.*'scheduler: true'/);
  });

  it('of a message to a FIFO queue always waits in a schedule', () => {
    expect(delayed({ seconds: 1 }, withScheduler, 'ledger')).toMatchObject({
      dueAt: '2026-01-02T03:04:07.000Z',
      messageGroupId: 'a',
    });
    const refused = refusalOf(() => delayed({ seconds: 1 }, {}, 'ledger'));
    expect(refused.message).toMatch(/a FIFO queue takes no delay.*no scheduler/);
  });

  it.each<[string, Duration]>([
    ['negative', { seconds: -1 }],
    ['negative', { milliseconds: -1 }],
    ['its seconds are NaN, not a finite number', { seconds: Number.NaN }],
    ['its delay cannot be used: "soon" is no duration', 'soon' as never],
    ['over a year', { days: 365, seconds: 1 }],
    ['over a year', { days: 1e300 }],
    ['its days are Infinity, not a finite number', { days: Number.POSITIVE_INFINITY }],
  ])('that is %s is refused: %j', (problem, delay) => {
    refuses(() => delayed(delay, withScheduler), problem);
  });

  it.each(['topic', 'bus'])('of a message to a %s is refused', (destination) => {
    const refused = refusalOf(() => delayed({ seconds: 1 }, withScheduler, destination));
    expect(refused.message).toContain('only queues take a delay');
  });

  it('longer than its body is kept is refused where the body is stored in the bucket, with the remedy', () => {
    const sending = { ...withScheduler, claimCheckThresholdBytes: 10, claimCheckRetentionSeconds: 86_400 };
    const send = (body: string, delay: Duration, overrides: Partial<Sending> = {}) => {
      const work = unitOfWork(undefined, { sending: { ...sending, ...overrides } });
      work.context.send('billing', 'Later', body, { delay });
    };
    const large = 'x'.repeat(9);
    expect(() => send(large, { days: 1 })).not.toThrow();
    const { code, message } = refusalOf(() => send(large, { days: 1, seconds: 1 }));
    expect(code).toBe('InvalidOutgoingMessage');
    expect(message).toMatch(/delay of 86401 s is longer than the 86400 s.*longer 'retention'/);
    expect(() => send('small', { days: 30 })).not.toThrow();
    expect(() => send(large, { days: 30 }, { claimCheckRetentionSeconds: undefined })).not.toThrow();
    const work = unitOfWork(undefined, { sending });
    expect(() => work.context.requestTimeout('Later', large, { after: { days: 2 } })).toThrow(/86400 s/);
    expect(() => work.context.send('billing', 'Now', large)).not.toThrow();
  });

  it.each([
    ['x', 255],
    // A bracket stands there as six bytes.
    ['<', 42],
  ])('in a schedule bounds the size of the request that it keeps, of %j: 256 KB', (character, kilobytes) => {
    const send = (count: number) => {
      const work = unitOfWork(undefined, { sending: withScheduler });
      work.context.send('billing', 'Later', character.repeat(count), { delay: { hours: 1 } });
    };
    expect(() => send(kilobytes * 1024)).not.toThrow();
    const tooLarge = () => send((kilobytes + 1) * 1024);
    refuses(tooLarge, /in a schedule, over the 262144 of EventBridge Scheduler/);
  });
});
