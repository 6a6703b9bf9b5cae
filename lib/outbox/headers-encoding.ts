import { headerNames } from '../messages/headers.ts';

/** A header as a letter and the rest of its value, or as name and value. */
export type EncodedHeader = string | readonly [name: string, value: string];

/** The facts from which the values of headers derive. */
export interface HeaderSource {
  readonly endpoint: string;
  /** The message id as a header has it. */
  readonly messageId: string;
  /** The operation's place among those of its record, from 0. */
  readonly ordinal: number;
}

interface Abbreviation {
  readonly name: string;
  /** Returns the rest of a value; `undefined` if `restore` would not bring the value back. */
  shorten(value: string, source: HeaderSource): string | undefined;
  restore(rest: string, source: HeaderSource): string;
}

/**
 * The letters of headers. They are stored: what a letter stands for never changes. A new header gets none,
 * and is stored by its name: functions of the deployment before could not read its letter.
 */
const abbreviations: Readonly<Record<string, Abbreviation>> = {
  c: unless(headerNames.conversationId, ({ messageId }) => messageId),
  a: unless(headerNames.causationId, ({ messageId }) => messageId),
  r: unless(headerNames.replyTo, ({ endpoint }) => endpoint),
  s: whole(headerNames.saga),
  i: whole(headerNames.correlationId),
  v: {
    name: headerNames.sagaVersion,
    shorten(value, { ordinal }) {
      const end = `.${ordinal}`;
      return value.endsWith(end) ? value.slice(0, -end.length) : undefined;
    },
    restore: (version, { ordinal }) => `${version}.${ordinal}`,
  },
  t: {
    name: headerNames.sentAt,
    shorten(value) {
      const time = new Date(value);
      const isTime = !Number.isNaN(time.getTime()) && time.toISOString() === value;
      return isTime ? time.getTime().toString(36) : undefined;
    },
    restore: (milliseconds) => new Date(Number.parseInt(milliseconds, 36)).toISOString(),
  },
  o: unless(headerNames.timeout, () => 'true'),
  k: whole(headerNames.claimCheck),
};

const letters: ReadonlyMap<string, string> = new Map(
  Object.entries(abbreviations).map(([letter, { name }]) => [name, letter]),
);

/** Encodes headers in their order, in which folded headers are written out. */
export function encodeHeaders(
  headers: Readonly<Record<string, string>>,
  source: HeaderSource,
): EncodedHeader[] {
  return Object.entries(headers).map(([name, value]): EncodedHeader => {
    const letter = letters.get(name);
    const rest = letter && abbreviations[letter]?.shorten(value, source);
    return rest === undefined ? [name, value] : `${letter}${rest}`;
  });
}

/** @throws Error for headers that `encodeHeaders` does not make */
export function decodeHeaders(headers: readonly unknown[], source: HeaderSource): Record<string, string> {
  // A header may have the name of what every object inherits, too.
  return Object.fromEntries(headers.map((header) => decodeHeader(header, source)));
}

function decodeHeader(header: unknown, source: HeaderSource): readonly [string, string] {
  if (Array.isArray(header)) {
    const [name, value, ...more] = header as unknown[];
    if (typeof name === 'string' && typeof value === 'string' && more.length === 0) return [name, value];
  } else if (typeof header === 'string') {
    const letter = header.slice(0, 1);
    const known = Object.hasOwn(abbreviations, letter) ? abbreviations[letter] : undefined;
    if (known) return [known.name, known.restore(header.slice(1), source)];
  }
  throw new Error('a header of its outgoing messages is not known');
}

export function isSameHeader(one: EncodedHeader | undefined, other: EncodedHeader): boolean {
  if (typeof one === 'string' || one === undefined || typeof other === 'string') return one === other;
  return one[0] === other[0] && one[1] === other[1];
}

/** Returns an abbreviation that leaves nothing of the usual value of a header. */
function unless(name: string, usual: (source: HeaderSource) => string): Abbreviation {
  return {
    name,
    shorten: (value, source) => (value === usual(source) ? '' : value === '' ? undefined : value),
    restore: (rest, source) => (rest === '' ? usual(source) : rest),
  };
}

function whole(name: string): Abbreviation {
  return { name, shorten: (value) => value, restore: (rest) => rest };
}
