import { setTimeout as delay } from 'node:timers/promises';
import { depthOf } from '../../support/received-records.ts';
import type { Clients } from '../engine/access.ts';
import { judgeOrders, type OrdersVerdict } from '../far-ends/judge-orders.ts';
import { isScheduledAgain } from '../far-ends/schedules.ts';
import { undispatchedRecords } from '../far-ends/undispatched.ts';
import type { Subject } from './subject.ts';

const tickMs = 1_000;
/** A message may be between two queues while they are looked at. */
const looksAtRest = 2;
/** What a killed function held comes again after a minute. */
const stallMs = 100_000;
/** A denied call denies itself again when its message comes back, so that waiting for long is of no use. */
const hopelessStallMs = 25_000;

export interface Settled {
  readonly verdict: OrdersVerdict;
  readonly undispatched: readonly string[];
  readonly schedules: readonly string[];
}

export interface SettleOptions {
  readonly signal: AbortSignal;
  readonly isHopeless: () => boolean;
  readonly onTick: (verdict: OrdersVerdict) => Promise<void>;
}

/** Waits until everything is there and nothing is on its way any more, or nothing has moved for long. */
export async function settle(
  clients: Clients,
  subject: Subject,
  { signal, isHopeless, onTick }: SettleOptions,
): Promise<Settled> {
  let movedAt = Date.now();
  let lastLost = Number.POSITIVE_INFINITY;
  let atRest = 0;
  for (;;) {
    signal.throwIfAborted();
    const verdict = judgeOrders(subject.orders, await subject.effects());
    await onTick(verdict);
    if (verdict.lost.length !== lastLost) movedAt = Date.now();
    lastLost = verdict.lost.length;
    const stalled = Date.now() - movedAt > (isHopeless() ? hopelessStallMs : stallMs);
    if (verdict.lost.length === 0 || stalled) {
      const undispatched = await undispatchedRecords(clients.dynamoDB, subject.outboxTableNames);
      const schedules = await subject.scheduleComplaints();
      const isAtRest =
        undispatched.length === 0 && schedules.every(isScheduledAgain) && (await isEmpty(clients, subject));
      atRest = isAtRest ? atRest + 1 : 0;
      // What arrived while the queues were looked at counts too.
      if (atRest === looksAtRest || stalled)
        return { verdict: judgeOrders(subject.orders, await subject.effects()), undispatched, schedules };
    }
    await delay(tickMs, undefined, { signal });
  }
}

/** Whether no message waits in a queue that messages pass through. */
export async function isEmpty({ sqs }: Clients, subject: Subject): Promise<boolean> {
  const urls = await subject.workingQueueUrls();
  const depths = await Promise.all(urls.map((url) => depthOf(sqs, url)));
  return depths.every(({ now, delayed }) => now === 0 && (subject.ignoresDelayed || delayed === 0));
}
