/**
 * Any other one: control characters, halves of surrogate pairs, U+FFFE and U+FFFF. Source: "SendMessage" in the
 * Amazon SQS API Reference; values of attributes have "the same restrictions" there, and SNS hands both on to SQS.
 */
const refused = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Whether SQS takes the characters. */
export function hasSqsCharacters(value: string): boolean {
  return !refused.test(value);
}

/** The first character that SQS refuses, for a sentence: `U+FFFE at index 3`; undefined if there is none. */
export function refusedCharacter(value: string): string | undefined {
  const found = refused.exec(value);
  if (found === null) return undefined;
  const codePoint = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${codePoint} at index ${found.index}`;
}

/** The value itself, percent-encoded where SQS would refuse it: an id from outside may hold anything. */
export function encodeForSqs(value: string): string {
  return hasSqsCharacters(value) ? value : encodeURIComponent(value.toWellFormed());
}
