import type { ProxiedCall } from './proxied-call.ts';

/** Kills an instance around calls that it makes to an engine. */
export interface FaultRule {
  /** Names the fault in reports. */
  readonly name: string;
  /** Which calls the rule counts. */
  readonly matches: (call: ProxiedCall) => boolean;
  /**
   * `beforeCall`: the engine never sees the call. `afterCall`: the engine has done it, the instance never
   * sees the answer.
   */
  readonly kill: 'beforeCall' | 'afterCall';
  /** Which of the matching calls are hit, counted from 1. */
  readonly atCalls: readonly number[];
}

/** Counts calls against the rules and says which of them are to be hit. */
export class FaultPlan {
  readonly #rules: readonly FaultRule[];
  readonly #matched = new Map<FaultRule, number>();

  constructor(rules: readonly FaultRule[]) {
    this.#rules = rules;
  }

  /** The fault that hits this call, if any. Each call is counted by every rule that it matches. */
  next(call: ProxiedCall): FaultRule | undefined {
    let hit: FaultRule | undefined;
    for (const rule of this.#rules) {
      if (!rule.matches(call)) continue;
      const count = (this.#matched.get(rule) ?? 0) + 1;
      this.#matched.set(rule, count);
      if (rule.atCalls.includes(count)) hit ??= rule;
    }
    return hit;
  }
}
