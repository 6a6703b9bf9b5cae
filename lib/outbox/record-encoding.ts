/** The encoding of a record's operations, its attribute `encoding`. `sb` is `s`, compressed with Brotli. */
export type RecordEncoding = (typeof encodings)[number];

/** Stored values, which never change. */
const encodings = ['s', 'sb'] as const;

export function isRecordEncoding(value: string | undefined): value is RecordEncoding {
  return encodings.some((encoding) => encoding === value);
}

export function isCompressed(encoding: RecordEncoding): boolean {
  return encoding === 'sb';
}
