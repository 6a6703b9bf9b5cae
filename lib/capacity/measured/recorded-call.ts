import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { CapacityUnitsPlan } from '../message-shape.ts';

export type Item = Readonly<Record<string, AttributeValue>>;

/** What one request of the SDK asked, and what came of it. */
export interface RecordedCall {
  /** For example `TransactWriteItems`. */
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has an input of its own
  readonly input: any;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has an output of its own
  readonly output?: any;
  readonly error?: unknown;
}

/** A call that was made, and what it took. */
export interface MeteredCall extends RecordedCall {
  /** As the engine reports them; none for a call that it refused. */
  readonly units: CapacityUnitsPlan;
  /** Write units of a call that was refused: no engine reports them, so that they are the rule's. */
  readonly refusedWcu: number;
  /** Whether it took units that it did not ask for: they are in neither of these. */
  readonly isUnreported: boolean;
}
