import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { anyText } from './any-text.ts';

const text = anyText({ maxLength: 20 });
const name = anyText({ minLength: 1, maxLength: 12 });
const bytes = fc.uint8Array({ maxLength: 20 });

/**
 * A number as a string that DynamoDB takes: up to 38 significant digits, from 1e-130 to below 1e126; with
 * zeros before and behind, a point anywhere, and exponents as different writers of numbers write them.
 */
export const anyNumber: fc.Arbitrary<string> = fc
  .record({
    sign: fc.constantFrom('', '-'),
    digits: fc.stringMatching(/^[1-9][0-9]{0,37}$/),
    zerosBefore: fc.constantFrom('', '0', '000'),
    zerosBehind: fc.nat({ max: 3 }),
    point: fc.option(fc.nat({ max: 45 })),
    exponent: fc.option(fc.integer({ min: -80, max: 80 })),
    exponentSign: fc.constantFrom('', '+'),
    e: fc.constantFrom('e', 'E'),
  })
  .map(({ sign, digits, zerosBefore, zerosBehind, point, exponent, exponentSign, e }) => {
    const all = `${zerosBefore}${digits}${'0'.repeat(Math.min(zerosBehind, 38 - digits.length))}`;
    const mantissa = point === null ? all : withPoint(all, point);
    const suffix = exponent === null ? '' : `${e}${exponent < 0 ? '' : exponentSign}${exponent}`;
    return `${sign}${mantissa}${suffix}`;
  });

/** Puts so many digits behind the point. */
function withPoint(digits: string, behind: number): string {
  if (behind === 0) return digits;
  const padded = digits.padStart(behind + 1, '0');
  return `${padded.slice(0, -behind)}.${padded.slice(-behind)}`;
}

const numberSet = fc
  .uniqueArray(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), { minLength: 1, maxLength: 5 })
  .chain((integers) =>
    fc.constantFrom('', 'e-3', 'e7').map((suffix) => integers.map((n) => `${n}${suffix}`)),
  );
const textSet = fc.uniqueArray(name, { minLength: 1, maxLength: 5 });
const bytesSet = fc.uniqueArray(fc.uint8Array({ minLength: 1, maxLength: 20 }), {
  minLength: 1,
  maxLength: 5,
  selector: (value) => value.join(),
});

/** A value of any type, nested up to a few levels. */
export const anyAttributeValue: fc.Arbitrary<AttributeValue> = fc.letrec<{ value: AttributeValue }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text.map((S): AttributeValue => ({ S })),
      anyNumber.map((N): AttributeValue => ({ N })),
      bytes.map((B): AttributeValue => ({ B })),
      fc.boolean().map((BOOL): AttributeValue => ({ BOOL })),
      fc.constant<AttributeValue>({ NULL: true }),
      textSet.map((SS): AttributeValue => ({ SS })),
      numberSet.map((NS): AttributeValue => ({ NS })),
      bytesSet.map((BS): AttributeValue => ({ BS })),
      fc.array(tie('value'), { maxLength: 4 }).map((L): AttributeValue => ({ L })),
      fc.dictionary(name, tie('value'), { maxKeys: 4 }).map((M): AttributeValue => ({ M })),
    ),
  }),
).value;

/** The attributes of an item besides its key. */
export const anyAttributes: fc.Arbitrary<Record<string, AttributeValue>> = fc.dictionary(
  name.filter((attribute) => !['PK', 'SK', 'pad'].includes(attribute)),
  anyAttributeValue,
  { maxKeys: 5 },
);
