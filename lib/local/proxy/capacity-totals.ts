import { CallRecorder } from '../../capacity/index.ts';
import type { CallAnswer, ProxiedCall } from './proxied-call.ts';
import { recordedCall } from './recorded-call.ts';

/** What the calls to DynamoDB consumed. */
export interface CapacityTotals {
  readonly calls: number;
  /** As the engine reports them. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Of writes that a condition refused, by the rules: engines report none, so `writeUnits` has none. */
  readonly refusedWriteUnits: number;
  /** Calls that did not ask for their units, which are in none of these sums. */
  readonly unreportedCalls: number;
}

/** Sums the capacity of the calls that pass by. */
export class CapacitySum {
  readonly #recorder = new CallRecorder();
  readonly #totals = { calls: 0, readUnits: 0, writeUnits: 0, refusedWriteUnits: 0, unreportedCalls: 0 };

  get totals(): CapacityTotals {
    return { ...this.#totals };
  }

  observe(call: ProxiedCall, answer: CallAnswer): void {
    if (call.service !== 'dynamodb') return;
    this.#recorder.add(recordedCall(call, answer));
    for (const { units, refusedWcu, isUnreported } of this.#recorder.take()) {
      this.#totals.calls += 1;
      this.#totals.readUnits += units.rcu;
      this.#totals.writeUnits += units.wcu;
      this.#totals.refusedWriteUnits += refusedWcu;
      if (isUnreported) this.#totals.unreportedCalls += 1;
    }
  }
}
