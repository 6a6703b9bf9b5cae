import type { AttributeValue } from '@aws-sdk/client-dynamodb';

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
  /** Whether AWS itself answered, whose reports are right. */
  readonly isOfAws?: boolean;
}

export interface Units {
  readonly rcu: number;
  readonly wcu: number;
}

export const noUnits: Units = { rcu: 0, wcu: 0 };

/** `reported` by the engine; `computed` where it reports wrongly, or not at all; `none` for calls that take no units. */
export type UnitSource = 'reported' | 'computed' | 'none';
