/** Whether SQS takes the characters. Source: "SendMessage" in the Amazon SQS API Reference. */
export function hasSqsCharacters(value: string): boolean {
  return (
    value.isWellFormed() && /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u.test(value)
  );
}

/** The value itself, percent-encoded where SQS would refuse it: an id from outside may hold anything. */
export function encodeForSqs(value: string): string {
  return hasSqsCharacters(value) ? value : encodeURIComponent(value.toWellFormed());
}
