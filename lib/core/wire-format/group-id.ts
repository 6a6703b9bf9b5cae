/** Letters, digits and punctuation, up to 128. Source: "SendMessage" in the Amazon SQS API Reference. */
export function isGroupId(value: unknown): boolean {
  return typeof value === 'string' && /^[!-~]{1,128}$/.test(value);
}
