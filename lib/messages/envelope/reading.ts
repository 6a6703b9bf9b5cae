/** The headers of a message, on a null prototype: a header may have any name, '__proto__' too. */
export type MessageHeaders = Readonly<Record<string, string>>;

/** The contents of a record, as far as its format tells. */
export interface Reading {
  readonly id?: string | undefined;
  readonly type?: string | undefined;
  readonly headers: MessageHeaders;
  readonly sentAt?: Date | undefined;
  /** The name of the replay of an EventBridge archive that the record comes from. */
  readonly replayName?: string | undefined;
  /**
   * Returns the body. It is called when all else is known, so that its error can tell which message it is of.
   *
   * @throws Unreadable
   */
  readonly body: () => unknown;
}

/** The error of a format, which becomes an `InvalidMessage`: a format does not know the message's id. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly remedy: string;

  constructor(
    problem: string,
    { cause, remedy = "Correct its sender, or read it with the option 'parse'" }: UnreadableOptions = {},
  ) {
    super(problem, { cause });
    this.remedy = remedy;
  }
}

interface UnreadableOptions {
  readonly cause?: unknown;
  readonly remedy?: string | undefined;
}

/** The most headers of a message, far more than messages have: SQS takes ten attributes. */
const MAX_HEADERS = 256;

/**
 * Refuses headers whose number only the size of a message limits: each of a hundred thousand is copied
 * several times, and the other messages of the batch wait meanwhile.
 *
 * @param names the names of possible headers
 * @throws Unreadable
 */
export function assertFewHeaders(names: readonly string[], place: string): void {
  if (names.length <= MAX_HEADERS) return;
  const remedy = 'Put into its body what is no header';
  throw new Unreadable(`${place} has ${names.length} attributes, over ${MAX_HEADERS}`, { remedy });
}

/** @param toHeader returns undefined for a value that is no header */
export function headersOf(values: object, toHeader: (value: unknown) => string | undefined): MessageHeaders {
  const headers: Record<string, string> = Object.create(null);
  for (const name of Object.keys(values)) {
    const header = toHeader((values as Readonly<Record<string, unknown>>)[name]);
    if (header !== undefined) headers[name] = header;
  }
  return headers;
}

/** The headers of a body that has none beside its attributes, as most bodies. */
export const noHeaders: MessageHeaders = Object.freeze(Object.create(null));

/** Merges headers, of which later ones take precedence. */
export function mergeHeaders(...all: readonly MessageHeaders[]): MessageHeaders {
  return Object.assign(Object.create(null), ...all);
}
