import { describe, expect, it } from '@jest/globals';
import type { QueueDestination } from '../../lib/messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../lib/messages/message.ts';
import type { Scheduler } from '../../lib/sending/schedules/scheduler.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import type { ArrivedMessage } from '../support/queue.ts';

export interface SchedulerSubject {
  readonly scheduler: Scheduler;
  readonly destination: QueueDestination;
  now(): Date;
  /** Lets time pass. @returns what was sent in the meantime */
  pass(durationMs: number): Promise<readonly ArrivedMessage[]>;
}

const minuteMs = 60_000;

/** What every implementation of Scheduler does. */
export function describeScheduler(open: () => Promise<SchedulerSubject>): void {
  /** A subject with messages that are due after so many minutes, by their ids. */
  async function openWith(minutes: Readonly<Record<string, number>>) {
    const subject = await open();
    const dueIn = (id: string, after: number): OutgoingMessage =>
      outgoingMessage({ id, dueAt: new Date(subject.now().getTime() + after * minuteMs).toISOString() });
    const schedule = (id: string, after: number) =>
      subject.scheduler.schedule(dueIn(id, after), subject.destination);
    for (const [id, after] of Object.entries(minutes)) await schedule(id, after);
    const passMinutes = async (duration: number) =>
      (await subject.pass(duration * minuteMs)).map(({ id }) => id).toSorted();
    return { ...subject, schedule, passMinutes };
  }

  describe('a message that is scheduled', () => {
    it('is sent when it is due, not before, and once', async () => {
      const { pass, passMinutes } = await openWith({ a: 60 });
      expect(await passMinutes(59)).toEqual([]);
      expect(await pass(2 * minuteMs)).toEqual([{ id: 'a', type: 'ChargeCard', body: { orderId: '42' } }]);
      expect(await passMinutes(24 * 60)).toEqual([]);
    });

    it('is sent by its own time, whatever waits beside it', async () => {
      const { passMinutes } = await openWith({ later: 120, sooner: 30, alongside: 120 });
      expect(await passMinutes(31)).toEqual(['sooner']);
      expect(await passMinutes(60)).toEqual([]);
      expect(await passMinutes(60)).toEqual(['alongside', 'later']);
    });

    it('twice is sent once, at its first time', async () => {
      const { schedule, passMinutes } = await openWith({ a: 60 });
      await schedule('a', 120);
      await schedule('a', 60);
      expect(await passMinutes(61)).toEqual(['a']);
      expect(await passMinutes(120)).toEqual([]);
    });

    it('for a time that has passed is sent soon', async () => {
      const { passMinutes } = await openWith({ a: -60 });
      expect(await passMinutes(1)).toEqual(['a']);
    });

    it('is sent as it was, when its body has been changed since', async () => {
      const { scheduler, destination, now, pass } = await openWith({});
      const body = { orderId: '42' };
      const dueAt = new Date(now().getTime() + minuteMs).toISOString();
      await scheduler.schedule(outgoingMessage({ body, dueAt }), destination);
      body.orderId = 'changed';
      expect(await pass(2 * minuteMs)).toMatchObject([{ body: { orderId: '42' } }]);
    });
  });

  describe('a message that is cancelled', () => {
    it('is not sent, and the others are', async () => {
      const { scheduler, passMinutes } = await openWith({ a: 60, b: 60 });
      await scheduler.cancel('a');
      expect(await passMinutes(120)).toEqual(['b']);
    });

    it('twice, or without having been scheduled, makes no error', async () => {
      const { scheduler, passMinutes } = await openWith({ a: 60 });
      await scheduler.cancel('a');
      await scheduler.cancel('a');
      await scheduler.cancel('never-scheduled');
      expect(await passMinutes(120)).toEqual([]);
    });

    it('after it was sent makes no error', async () => {
      const { scheduler, passMinutes } = await openWith({ a: 60 });
      expect(await passMinutes(61)).toEqual(['a']);
      await scheduler.cancel('a');
    });
  });
}
