import { runLoad } from '../../support/load-kill-verify/run-load.ts';
import { depthOf } from '../../support/received-records.ts';
import type { Clients } from '../engine/access.ts';
import { judgeOrders, type OrdersVerdict } from '../far-ends/judge-orders.ts';
import { isScheduledAgain } from '../far-ends/schedules.ts';
import { undispatchedRecords } from '../far-ends/undispatched.ts';
import type { Subject } from './subject.ts';

const tickMs = 1_000;
/** A denied call denies itself again when its message comes back: the run has failed, and to wait is of no use. */
const deniedStallMs = 25_000;
/** What a killed function held comes again after a minute. */
const stallMs = 120_000;

export interface Settled {
  readonly verdict: OrdersVerdict;
  readonly undispatched: readonly string[];
  readonly schedules: readonly string[];
}

export interface SettleOptions {
  readonly signal: AbortSignal;
  readonly isDenied: () => boolean;
  readonly onLook: (verdict: OrdersVerdict) => Promise<void>;
}

/** Waits until everything is there and nothing is on its way any more, or nothing has moved for long. */
export async function settleSubject(
  clients: Clients,
  subject: Subject,
  { signal, isDenied, onLook }: SettleOptions,
): Promise<Settled> {
  const judged = async () => judgeOrders(subject.orders, await subject.effects());
  const left = async () => ({
    undispatched: await undispatchedRecords(clients.dynamoDB, subject.outboxTableNames),
    schedules: await subject.scheduleComplaints(),
  });
  const isAtRest = async () => {
    const { undispatched, schedules } = await left();
    return (
      undispatched.length === 0 && schedules.every(isScheduledAgain) && (await isEmpty(clients, subject))
    );
  };
  const look = async () => {
    const verdict = await judged();
    await onLook(verdict);
    const { length } = verdict.lost;
    return { isSettled: length === 0 && (await isAtRest()), progress: length };
  };
  await runLoad({ look, tickMs, stallMs: () => (isDenied() ? deniedStallMs : stallMs) }, signal);
  const found = await left();
  // What arrived while the queues were looked at counts too.
  return { verdict: await judged(), ...found };
}

/** Whether no message waits in a queue that messages pass through. */
export async function isEmpty({ sqs }: Clients, subject: Subject): Promise<boolean> {
  const urls = await subject.workingQueueUrls();
  const depths = await Promise.all(urls.map((url) => depthOf(sqs, url)));
  return depths.every(({ now, delayed }) => now === 0 && (subject.ignoresDelayed || delayed === 0));
}
