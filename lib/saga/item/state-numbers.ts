/** Source: "Data types" in the Amazon DynamoDB Developer Guide. The largest number is 9.99…E+125. */
const SMALLEST_NUMBER = 1e-130;
const MAX_DIGITS = 38;
const MAX_INTEGER = 126;

/** What DynamoDB would change or refuse, and what to do; undefined for what it stores as it is. */
export function numberProblem(value: number | bigint): string | undefined {
  if (typeof value === 'bigint') return bigIntProblem(value);
  if (!Number.isFinite(value)) return `${value}: use null, or a string`;
  if (Object.is(value, -0)) return '-0, which DynamoDB stores as 0: add 0 to it (value + 0)';
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return `${value}, over the integers that a number holds exactly (2^53 - 1): use a bigint, or a string`;
  }
  return value !== 0 && Math.abs(value) < SMALLEST_NUMBER
    ? `${value}, closer to 0 than DynamoDB stores (1e-130): round it, or use a string`
    : undefined;
}

/** A big integer where a number would round it. */
export function numberOf(decimal: string): number | bigint {
  const number = Number(decimal);
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? BigInt(decimal) : number;
}

function bigIntProblem(value: bigint): string | undefined {
  if (Number.isSafeInteger(Number(value))) {
    return `the bigint ${value}n, which would come back as a number: use a number, or a string`;
  }
  const digits = String(value).replace('-', '');
  const isStored = digits.length <= MAX_INTEGER && digits.replace(/(?<!0)0+$/, '').length <= MAX_DIGITS;
  return isStored ? undefined : `a bigint over the ${MAX_DIGITS} digits that DynamoDB stores: use a string`;
}
