/**
 * `slim`: what derives from the record's key is left out, and what the operations share is stored once.
 * `plain`: each operation whole, as build 0.1 reads them.
 */
export type RecordForm = (typeof recordForms)[number];

export const recordForms = ['slim', 'plain'] as const;

export const RECORD_FORM_DEFAULT: RecordForm = 'slim';

interface EncodingFacts {
  readonly form: RecordForm;
  readonly isCompressed: boolean;
}

/** The attribute `encoding` of a record. Without one its operations are plain, and not compressed. */
export const encodings = {
  br: { form: 'plain', isCompressed: true },
  s: { form: 'slim', isCompressed: false },
  sb: { form: 'slim', isCompressed: true },
} as const satisfies Record<string, EncodingFacts>;

export type RecordEncoding = keyof typeof encodings;

export function isRecordEncoding(value: string): value is RecordEncoding {
  return Object.hasOwn(encodings, value);
}

export function factsOf(encoding: RecordEncoding | undefined): EncodingFacts {
  return encoding === undefined ? { form: 'plain', isCompressed: false } : encodings[encoding];
}
