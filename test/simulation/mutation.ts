import type { OutboxPlan } from './outbox-plans.ts';
import type { Mode } from './scenario.ts';
import type { Invariant } from './violation.ts';

/** A piece of the text of a source, which is there exactly once, and what it becomes. */
export interface Change {
  readonly file: string;
  readonly piece: string;
  readonly becomes: string;
}

export interface Mutation extends Change {
  readonly name: string;
  /** In another source, where two of them keep one fault away. */
  readonly also?: Change;
  /** Which invariants the simulation may see broken first. */
  readonly breaks: readonly Invariant[];
  /** @default all */
  readonly modes?: readonly Mode[];
  /** Of the saga. @default 'records' */
  readonly outbox?: OutboxPlan;
  /**
   * Whose first histories show it.
   *
   * @default that of most, see `run-mutants.ts`
   */
  readonly seed?: number;
}

/** Of a saga whose item keeps its messages. */
export interface OutboxMutation extends Mutation {
  readonly outbox: OutboxPlan;
  readonly seed: number;
}

/** Copies of one message in a batch go in turn, so that what is behind that sees two of them at once no more. */
export const copiesSideBySide: Change = {
  file: 'lib/pipeline/run-delivery.ts',
  piece: 'if (copies !== undefined) await copies;',
  becomes: '',
};

export const pessimistic: readonly Mode[] = ['pessimistic'];
