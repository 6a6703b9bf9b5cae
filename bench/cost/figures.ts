import type { MeteredCall } from '../../lib/capacity/measured/recorded-call.ts';

/** What the figures are measured for: bytes as stored. */
export const wanted = { sagaBytes: 1_000, messageBytes: 500 } as const;

/** Requests to DynamoDB and SQS, and the units that they took. */
export interface Units {
  readonly calls: number;
  readonly rcu: number;
  readonly wcu: number;
  /** Write units of refused calls, by DynamoDB's rules: no engine reports them. */
  readonly refusedWcu: number;
}

export const unitHeadings = { calls: 'calls', rcu: 'RCU', wcu: 'WCU', refusedWcu: 'refused WCU' } as const;
export const unitNames = Object.keys(unitHeadings) as (keyof Units)[];
/** What is compared as a ratio: the figures are those of messages that no write of is refused. */
export const comparedUnits = ['calls', 'rcu', 'wcu'] as const satisfies readonly (keyof Units)[];

/**
 * `N=3`: one message whose handler sends three. `incompressible`: the sent messages have random bodies, of
 * one size for both layouts. `batch10`: one invocation of ten messages whose handlers send one each.
 * `discard`: one message that starts no saga and finds none.
 */
export const cases = [
  'N=0',
  'N=1',
  'N=3',
  'N=10',
  'N=3 incompressible',
  'N=10 incompressible',
  'batch10',
  'discard',
] as const;
export type Case = (typeof cases)[number];

/** What one invocation is given. */
export interface CaseLoad {
  readonly messages: number;
  /** That the handler of each sends. */
  readonly outgoing: number;
  readonly isIncompressible: boolean;
  /** Without them no handler runs. */
  readonly hasSagas: boolean;
}

export function loadOf(name: Case): CaseLoad {
  const one = { messages: 1, outgoing: 1, isIncompressible: false, hasSagas: true };
  if (name === 'batch10') return { ...one, messages: 10 };
  if (name === 'discard') return { ...one, outgoing: 0, hasSagas: false };
  const outgoing = Number(/\d+/.exec(name)?.[0]);
  return { ...one, outgoing, isIncompressible: name.endsWith(' incompressible') };
}

export function unitsOf(calls: readonly MeteredCall[]): Units {
  return {
    calls: calls.length,
    rcu: calls.reduce((sum, { units }) => sum + units.rcu, 0),
    wcu: calls.reduce((sum, { units }) => sum + units.wcu, 0),
    refusedWcu: calls.reduce((sum, { refusedWcu }) => sum + refusedWcu, 0),
  };
}

/** The most of each: what holds for it holds for all. */
export function worst(all: readonly Units[]): Units {
  const most = (unit: keyof Units) => Math.max(...all.map((units) => units[unit]));
  return { calls: most('calls'), rcu: most('rcu'), wcu: most('wcu'), refusedWcu: most('refusedWcu') };
}
