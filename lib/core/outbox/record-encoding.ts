/** How the operations of a record are stored: its attribute `encoding`. `sb` is `s`, compressed with Brotli. */
export type RecordEncoding = (typeof encodings)[number];

/** Stored data. */
const encodings = ['s', 'sb'] as const;

export function isRecordEncoding(value: string | undefined): value is RecordEncoding {
  return encodings.some((encoding) => encoding === value);
}

export function isCompressed(encoding: RecordEncoding): boolean {
  return encoding === 'sb';
}
