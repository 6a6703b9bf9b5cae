/** The beginning of a string, up to so many bytes of UTF-8, with no character cut in two. */
export function cutToBytes(value: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(value, new Uint8Array(Math.max(0, maxBytes)));
  return value.slice(0, read);
}
