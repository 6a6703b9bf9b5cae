import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { ContributionIdentity, ItemKey, SagaIdentity } from '../dynamodb/keys.ts';
import { type Duration, durationProblem, toMilliseconds, toSeconds } from '../kernel/duration.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { describeValue, thrownMessage } from '../kernel/errors/thrown.ts';
import { fromStateAttributes, toStateAttributes } from './item/state-attributes.ts';

/** A value that a message adds beside its saga, in an item of its own. */
export interface Contribution extends ContributionIdentity {
  readonly value: AttributeValue;
  readonly expiresAt: Date;
}

/** A contribution as it is read: it exists until a commit deletes it, or its time to live ends. */
export interface FoundContribution {
  readonly item: ItemKey;
  readonly value: AttributeValue;
  readonly bytes: number;
}

/** A contribution whose value a handler was given: the commit of that handler deletes it. */
export interface CollectedContribution extends Omit<FoundContribution, 'value'> {
  readonly saga: SagaIdentity;
  readonly key: string;
}

export interface AppendOptions {
  /**
   * The time that the value is kept for `saga.collect`. It has to outlast the wait for that call.
   *
   * @default { days: 90 }
   */
  keepFor?: Duration;
}

export const defaultKeepFor: Duration = { days: 90 };

/** The pattern of a key, which is a part of sort keys, where `#` ends it, and of a message attribute. */
const keyPattern = /^[ -"$-~]{1,128}$/;
const MAX_KEEP_SECONDS = 10 * 365 * 24 * 60 * 60;

/** The saga and the key of a contribution, in the errors of a value that cannot be one. */
export interface ContributionPlace {
  readonly saga: SagaIdentity;
  readonly key: string;
}

/** @throws SagaboxError `InvalidContribution` */
export function assertContributionKey({ saga, key }: ContributionPlace): void {
  if (typeof key === 'string' && keyPattern.test(key)) return;
  const detail = `its key is ${describeValue(key)}: use 1 to 128 printable ASCII characters without '#'`;
  throw invalidContribution({ saga, key }, detail);
}

/**
 * Returns a copy of a value, as it is stored.
 *
 * @throws SagaboxError `InvalidContribution`
 */
export function contributionValue(place: ContributionPlace, value: unknown): AttributeValue {
  try {
    const { value: attribute } = toStateAttributes({ value });
    if (attribute !== undefined) return attribute;
  } catch (error) {
    // The error names a part of a state, as a contribution is stored like one.
    throw invalidContribution(place, thrownMessage(error).replace(/^state\./, 'its '), error);
  }
  throw invalidContribution(place, 'its value is undefined: use null');
}

export function readContribution({ value }: FoundContribution): unknown {
  return fromStateAttributes({ value }).value;
}

/** @throws SagaboxError `InvalidContribution` */
export function contributionExpiry(place: ContributionPlace, keepFor: Duration, now: Date): Date {
  const seconds = toSeconds(keepFor);
  if (seconds > 0 && seconds <= MAX_KEEP_SECONDS) return new Date(now.getTime() + toMilliseconds(keepFor));
  const problem = durationProblem(keepFor) ?? describeValue(keepFor);
  const detail = `its keepFor is wrong (${problem}): use a duration from 1 second to 10 years`;
  throw invalidContribution(place, detail);
}

export function invalidContribution(
  { saga, key }: ContributionPlace,
  detail: string,
  cause?: unknown,
): SagaboxError<'InvalidContribution'> {
  const facts = { sagaName: saga.name, sagaId: saga.id, key: String(key), detail };
  return new SagaboxError('InvalidContribution', facts, { cause });
}
