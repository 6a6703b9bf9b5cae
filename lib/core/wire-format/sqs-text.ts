/** Whether SQS takes the characters. Source: "SendMessage" in the Amazon SQS API Reference. */
export function isSqsText(text: string): boolean {
  return text.isWellFormed() && /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u.test(text);
}

/** The text itself, percent-encoded where SQS would refuse it: an id from outside may hold anything. */
export function toSqsText(text: string): string {
  return isSqsText(text) ? text : encodeURIComponent(text.toWellFormed());
}
