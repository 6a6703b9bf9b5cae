import type { MeteredCall } from '../../lib/capacity/measured/call-steps.ts';
import type { UnitSource } from '../../lib/capacity/measured/recorded-call.ts';
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
  readonly source: UnitSource;
}

export const messageCounts = [0, 1, 3, 10] as const;
export const batchSize = 10;

/** `N=3`: one message whose handler sends three. `batch10`: one invocation of ten messages whose handlers send one each. */
export type Case = `N=${(typeof messageCounts)[number]}` | 'batch10';
export const cases: readonly Case[] = ['N=0', 'N=1', 'N=3', 'N=10', 'batch10'];

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
    source: ofOperation[0]?.source ?? 'none',
    ...figuresOf(ofOperation),
  }));
}
