import { describe, expect, it } from '@jest/globals';
import type { QueueDestination } from '../../../lib/messages/destinations/destination.ts';
import { MemoryScheduler } from '../../../lib/testing/memory/scheduler.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

const queueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/billing';
const billing: QueueDestination = { kind: 'queue', name: 'billing', queueUrl, fifo: false };
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, seconds));

describe('the scheduler in memory', () => {
  it('shows what waits, the next one first, with where it goes and when', async () => {
    const scheduler = new MemoryScheduler();
    const later = outgoingMessage({ id: 'later', dueAt: at(2).toISOString() });
    const sooner = outgoingMessage({ id: 'sooner', dueAt: at(1).toISOString() });
    await scheduler.schedule(later, billing);
    await scheduler.schedule(sooner, billing);
    expect(scheduler.waiting).toEqual([
      { message: sooner, destination: billing, dueAt: at(1) },
      { message: later, destination: billing, dueAt: at(2) },
    ]);
    expect(scheduler.due(at(0))).toEqual([]);
    expect(scheduler.due(at(2)).map(({ message }) => message.id)).toEqual(['sooner', 'later']);
    expect(scheduler.waiting).toEqual([]);
  });

  it.each([
    ['at its time', 1000, 1],
    ['a millisecond before', 999, 0],
  ])('hands out %s: after %i ms %i', async (_name, afterMs, count) => {
    const scheduler = new MemoryScheduler();
    await scheduler.schedule(outgoingMessage({ dueAt: at(1).toISOString() }), billing);
    expect(scheduler.due(new Date(at(0).getTime() + afterMs))).toHaveLength(count);
  });
});
