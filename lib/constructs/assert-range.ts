import { Token } from 'aws-cdk-lib';

export interface Bounds {
  readonly min: number;
  /** What the minimum is. @default - a number of its own */
  readonly minIs?: string;
  /** @default - none */
  readonly max?: number;
  /** @default false */
  readonly fractions?: boolean;
}

/** @returns cause and remedy when the value is out of range */
export function rangeProblem(
  value: number,
  { min, max, minIs, fractions = false }: Bounds,
): { readonly problem: string; readonly remedy: string } | undefined {
  const isOfKind = fractions || Number.isSafeInteger(value);
  if (isOfKind && value >= min && value <= (max ?? value)) return undefined;
  const number = fractions ? 'value' : 'whole number';
  const least = minIs === undefined ? `${min}` : `${minIs}, ${min}`;
  const remedy = `Use a ${number} ${max === undefined ? `of at least ${least}` : `from ${min} to ${max}`}`;
  return { problem: `${value} is out of range`, remedy };
}

/** Whether the value is known before the deployment. */
export function isKnown(value: unknown): boolean {
  return !Token.isUnresolved(value);
}
