/** JSON leaves these two as they are, and escapes all else that SQS refuses. */
const unescaped = /[\uFFFE\uFFFF]/g;

/**
 * A value as JSON on its way out, in the characters that SQS takes: see `sqs-characters.ts`. What reads it has the
 * same value.
 */
export function wireJson(value: unknown): string {
  return JSON.stringify(value).replace(unescaped, (character) =>
    character === '\uFFFE' ? '\\ufffe' : '\\uffff',
  );
}
