import { expect, it } from '@jest/globals';
import type { AppEvent } from '../../../lib/cli/local/app-events.ts';
import { eventLines } from '../../../lib/cli/local/event-line.ts';

const at = 'orders';
const message = { at, id: 'm1', type: 'OrderPlaced' };

it.each<[AppEvent, string]>([
  [{ event: 'handled', ...message, deliveries: 1 }, 'handled  OrderPlaced m1 at orders'],
  [{ event: 'handled', ...message, deliveries: 2 }, 'handled  OrderPlaced m1 at orders, delivery 2'],
  [{ event: 'handled', ...message, type: undefined, deliveries: 1 }, 'handled  a message m1 at orders'],
  [{ event: 'failed', ...message, deliveries: 1 }, 'failed   OrderPlaced m1 at orders, delivery 1'],
  [
    { event: 'failed', ...message, deliveries: 3, reason: 'Task timed out after 2 seconds\n  at x' },
    'failed   OrderPlaced m1 at orders, delivery 3: Task timed out after 2 seconds',
  ],
  [
    { event: 'failed', ...message, deliveries: 1, movedTo: 'errors' },
    'failed   OrderPlaced m1 at orders, delivery 1, moved to errors',
  ],
  [{ event: 'sent', ...message, to: 'billing' }, 'sent     OrderPlaced m1 from orders to billing'],
  [
    { event: 'sent', at, id: undefined, type: undefined, to: 'billing', delaySeconds: 60 },
    'sent     a message from orders to billing, delayed for 60 s',
  ],
  [
    { event: 'sent', ...message, to: 'billing', dueAt: '2026-11-24T10:00:00Z' },
    'sent     OrderPlaced m1 from orders to billing, due at 2026-11-24T10:00:00Z',
  ],
  [{ event: 'invocationFailed', at: 'relay', reason: 'a bug\n  at x' }, 'failed   relay: a bug'],
  [{ event: 'log', at, line: 'Hello' }, 'orders | Hello'],
  [{ event: 'reloaded', replaced: ['A', 'B'], needRestart: [] }, 'Replaced A, B'],
  [
    { event: 'reloaded', replaced: [], needRestart: ['Shop.Table'] },
    'No function changed; start again to run what else changed: Shop.Table',
  ],
])('%j is told as %s', (event, line) => {
  expect(eventLines(event)).toEqual([line]);
});

it('what a failed synth wrote has lines of its own', () => {
  const lines = ['The synth failed, and the app runs on as it is:', 'a', 'b'];
  expect(eventLines({ event: 'synthFailed', output: 'a\nb' })).toEqual(lines);
});
