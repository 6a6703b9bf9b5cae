import type { Mode } from './scenario.ts';
import type { Invariant } from './violation.ts';

/** A fault put into a source of the package: a piece of its text, which is there exactly once, becomes another one. */
export interface Mutation {
  readonly name: string;
  readonly file: string;
  readonly piece: string;
  readonly becomes: string;
  /** Which invariants the simulation may see broken first. */
  readonly breaks: readonly Invariant[];
  /** @default all */
  readonly modes?: readonly Mode[];
}

export const pessimistic: readonly Mode[] = ['pessimistic'];
