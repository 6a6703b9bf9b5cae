import { Refused } from './expression-tokens.ts';

/** An exact number: `digits` times 10 to the power of `exponent`. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Source: "Number" in "Supported data types and naming rules in Amazon DynamoDB". */
const MAX_DIGITS = 38;
const MAX_EXPONENT = 125;
const MIN_EXPONENT = -130;

/** @throws Refused for what DynamoDB takes for no number */
export function decimalOf(text: string): Decimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(text) ?? [];
  if (whole + fraction === '') throw new Refused(`'${text}' is no number`);
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  return normalized({ digits, exponent: Number(exponent) - fraction.length });
}

/** @throws Refused for a sum that DynamoDB would not store */
export function sumOf(one: Decimal, other: Decimal): Decimal {
  const exponent = Math.min(one.exponent, other.exponent);
  return normalized({ digits: scaled(one, exponent) + scaled(other, exponent), exponent });
}

/** Below, at or over 0. */
export function decimalOrder(one: Decimal, other: Decimal): number {
  const exponent = Math.min(one.exponent, other.exponent);
  const difference = scaled(one, exponent) - scaled(other, exponent);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

export function negative({ digits, exponent }: Decimal): Decimal {
  return { digits: -digits, exponent };
}

/** As DynamoDB returns a number. */
export function decimalText({ digits, exponent }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits);
  if (exponent >= 0) return `${sign}${text}${'0'.repeat(exponent)}`;
  const padded = text.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** Without zeros at its end: equal numbers are alike. */
function normalized({ digits, exponent }: Decimal): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  const all = String(digits < 0n ? -digits : digits);
  const significant = all.replace(/(?<!0)0+$/, '');
  const zeros = all.length - significant.length;
  const magnitude = exponent + all.length - 1;
  if (significant.length > MAX_DIGITS) throw new Refused(`a number has more than ${MAX_DIGITS} digits`);
  if (magnitude > MAX_EXPONENT || magnitude < MIN_EXPONENT)
    throw new Refused(`a number is not between 1e${MIN_EXPONENT} and 1e${MAX_EXPONENT + 1}`);
  return { digits: digits / 10n ** BigInt(zeros), exponent: exponent + zeros };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
