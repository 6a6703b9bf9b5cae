/** A null prototype: a header may have any name, '__proto__' too. */
export type HeaderTexts = Readonly<Record<string, string>>;

/** What a record says, as far as its format tells. */
export interface Reading {
  readonly id?: string | undefined;
  readonly type?: string | undefined;
  readonly headers: HeaderTexts;
  readonly sentAt?: Date | undefined;
  /**
   * Called when all else is known, so that its error can tell which message it is of.
   *
   * @throws Unreadable
   */
  readonly body: () => unknown;
}

/** Becomes an `InvalidMessage`; what reads a format does not know the message's id. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Later ones win. */
export function mergeHeaders(...all: readonly HeaderTexts[]): HeaderTexts {
  return Object.assign(Object.create(null), ...all);
}
