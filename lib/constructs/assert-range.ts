import { Token } from 'aws-cdk-lib';
import { SagaboxError } from '../core/failures/errors.ts';

interface Bounds {
  readonly min: number;
  /** What the minimum is. @default - a number of its own */
  readonly minIs?: string;
  /** @default - none */
  readonly max?: number;
  /** @default false */
  readonly fractions?: boolean;
}

/**
 * A value that is left out, or known only at deployment, is in range.
 *
 * @throws SagaboxError `Configuration`
 */
export function assertRange(setting: string, value: number | undefined, bounds: Bounds): void {
  const { min, max, minIs, fractions = false } = bounds;
  if (value === undefined || !isKnown(value)) return;
  const isOfKind = fractions || Number.isSafeInteger(value);
  if (isOfKind && value >= min && value <= (max ?? value)) return;
  const number = fractions ? 'value' : 'whole number';
  const least = minIs === undefined ? `${min}` : `${minIs}, ${min}`;
  throw new SagaboxError('Configuration', {
    setting,
    problem: `${value} is out of range`,
    remedy: `Use a ${number} ${max === undefined ? `of at least ${least}` : `from ${min} to ${max}`}`,
  });
}

/** Whether the value is known before the deployment. */
export function isKnown(value: unknown): boolean {
  return !Token.isUnresolved(value);
}
