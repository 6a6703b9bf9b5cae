import type { CapacityTotals } from 'sagabox/local';
import type { Tally } from './tally.ts';
import type { Verdict } from './verdict.ts';

/** What `--json` writes. */
export interface Figures {
  readonly orders: number;
  readonly completedOrders: number;
  readonly messagesDelivered: number;
  readonly duplicatesDelivered: number;
  readonly crashesInjected: number;
  readonly lost: number;
  readonly appliedTwice: number;
  readonly undispatchedLeft: number;
  /** Capacity of the whole run, its duplicates and crashes included, for each different message. */
  readonly rcuPerMessage: number;
  readonly wcuPerMessage: number;
  /**
   * Of writes that a condition refused, by the rules: no engine reports them, and they are not in
   * `wcuPerMessage`.
   */
  readonly refusedWcuPerMessage: number;
  /** What DynamoDB was: `dynoxide 1.2.1`. */
  readonly engine: string;
}

export function figuresOf(
  orders: number,
  tally: Tally,
  verdict: Verdict,
  { readUnits, writeUnits, refusedWriteUnits }: CapacityTotals,
  engine: string,
): Figures {
  const perMessage = (units: number): number =>
    Math.round((units / Math.max(1, tally.distinctMessages)) * 100) / 100;
  return {
    orders,
    completedOrders: verdict.completedOrders,
    messagesDelivered: tally.messagesDelivered,
    duplicatesDelivered: tally.duplicatesDelivered,
    crashesInjected: tally.crashesInjected,
    lost: verdict.lost.length,
    appliedTwice: verdict.appliedTwice.length,
    undispatchedLeft: verdict.undispatched.length,
    rcuPerMessage: perMessage(readUnits),
    wcuPerMessage: perMessage(writeUnits),
    refusedWcuPerMessage: perMessage(refusedWriteUnits),
    engine,
  };
}
