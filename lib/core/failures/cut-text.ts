/** The beginning of a text, up to so many bytes of UTF-8, with no character cut in two. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.byteLength <= maxBytes) return text;
  let end = Math.max(0, maxBytes);
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return bytes.toString('utf8', 0, end);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
