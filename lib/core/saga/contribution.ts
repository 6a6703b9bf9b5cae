import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Duration, durationProblem, toMilliseconds, toSeconds } from '../duration.ts';
import { SagaboxError } from '../failures/errors.ts';
import { describeValue, thrownMessage } from '../failures/thrown.ts';
import type { ContributionIdentity, ItemKey, SagaIdentity } from '../storage/keys.ts';
import { fromStateAttributes, toStateAttributes } from '../storage/state-attributes.ts';

/** What a message adds beside its saga, in an item of its own. */
export interface Contribution extends ContributionIdentity {
  readonly value: AttributeValue;
  readonly expiresAt: Date;
}

/** One as it is read: it is there until a commit deletes it, or its time to live ends. */
export interface FoundContribution {
  readonly item: ItemKey;
  readonly value: AttributeValue;
  readonly bytes: number;
}

/** One whose value a handler has been given: it is deleted with what the handler made of it. */
export interface FoldedContribution extends Omit<FoundContribution, 'value'> {
  readonly saga: SagaIdentity;
  readonly key: string;
}

export interface AppendOptions {
  /**
   * How long it is kept for `saga.collect`. It has to outlive the wait for it.
   *
   * @default { days: 90 }
   */
  keepFor?: Duration;
}

export const defaultKeepFor: Duration = { days: 90 };

/** It is a part of sort keys, where `#` ends it, and of a message attribute. */
const keyPattern = /^[ -"$-~]{1,128}$/;
const MAX_KEEP_SECONDS = 10 * 365 * 24 * 60 * 60;

/** What saga and key a contribution is for, in the errors of what cannot be one. */
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
 * A copy of a value, as it is stored.
 *
 * @throws SagaboxError `InvalidContribution`
 */
export function contributionValue(place: ContributionPlace, value: unknown): AttributeValue {
  try {
    const { value: attribute } = toStateAttributes({ value });
    if (attribute !== undefined) return attribute;
  } catch (error) {
    // It is told as a part of a state, which it is stored like.
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
