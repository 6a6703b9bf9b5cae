import type { MeteredCall } from '../../lib/capacity/measured/recorded-call.ts';
import type { ContenderType } from './contender.ts';

export type ContenderName = ContenderType['name'];

/** Requests to DynamoDB and SQS, and the units that they took. */
export interface Figures {
  readonly calls: number;
  readonly rcu: number;
  readonly wcu: number;
}

/** Calls of one operation. */
export interface CallsOfOperation extends Figures {
  readonly operation: string;
}

export const batchSize = 10;

/**
 * `N=3`: one message whose handler sends three. `incompressible`: messages whose bodies have no order in
 * them, and are of one size for both layouts. `batch10`: one invocation of ten messages whose handlers send
 * one each. `discard`: one message that starts no saga and finds none.
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
  if (name === 'batch10') return { ...one, messages: batchSize };
  if (name === 'discard') return { ...one, outgoing: 0, hasSagas: false };
  const outgoing = Number(/\d+/.exec(name)?.[0]);
  return { ...one, outgoing, isIncompressible: name.endsWith(' incompressible') };
}

export type CostFigures = Record<Case, Record<ContenderName, Figures>>;

export function figuresOf(calls: readonly MeteredCall[]): Figures {
  return {
    calls: calls.length,
    rcu: calls.reduce((sum, { units }) => sum + units.rcu, 0),
    wcu: calls.reduce((sum, { units }) => sum + units.wcu, 0),
  };
}

/** The most of each: what holds for it holds for all. */
export function worst(all: readonly Figures[]): Figures {
  const most = (figure: keyof Figures) => Math.max(...all.map((figures) => figures[figure]));
  return { calls: most('calls'), rcu: most('rcu'), wcu: most('wcu') };
}

/** In the order in which the operations were first called. */
export function byOperation(calls: readonly MeteredCall[]): CallsOfOperation[] {
  return [...Map.groupBy(calls, ({ operation }) => operation)].map(([operation, ofOperation]) => ({
    operation,
    ...figuresOf(ofOperation),
  }));
}
