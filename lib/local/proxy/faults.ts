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

/**
 * Counts calls against the rules: each call is counted by every rule that it matches.
 *
 * @returns tells the fault that hits the next call, if any
 */
export function planFaults(rules: readonly FaultRule[]): (call: ProxiedCall) => FaultRule | undefined {
  const matched = new Map<FaultRule, number>();
  return (call) => {
    const matching = rules.filter((rule) => rule.matches(call));
    for (const rule of matching) matched.set(rule, (matched.get(rule) ?? 0) + 1);
    return matching.find((rule) => rule.atCalls.includes(matched.get(rule) ?? 0));
  };
}
