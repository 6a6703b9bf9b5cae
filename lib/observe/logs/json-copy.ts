import { utf8Bytes } from '../../dynamodb/item-size.ts';
import { cutToBytes } from '../../kernel/errors/cut-to-bytes.ts';
import {
  isSecretElement,
  isSecretName,
  isSecretValue,
  MASK,
  withoutSecrets,
} from '../../kernel/errors/secrets.ts';
import { isError, readableEntries, stringOf } from '../../kernel/errors/thrown.ts';
import { loggedError } from './logged-error.ts';

const MAX_DEPTH = 8;
const MAX_STRING_BYTES = 16 * 1024;
const QUOTES_BYTES = 2;

/** Brackets or quotes, and a comma; or `null,`. */
const PUNCTUATION_BYTES = 5;

/**
 * Copies values as JSON can tell them, up to so many bytes together: what is no JSON as a string or an
 * object, what is too long or too deep cut, what is a secret by its name masked. Never throws, whatever the values do.
 */
export class JsonCopy {
  /** Whether something was left out. */
  wasCut = false;
  #bytesLeft: number;
  /** The objects around the one that is copied. */
  readonly #around: object[] = [];

  constructor(maxBytes: number) {
    this.#bytesLeft = maxBytes;
  }

  /** @returns undefined for what JSON leaves out too, and for what there is no room for */
  of(value: unknown): unknown {
    if (typeof value === 'string') return this.#string(value);
    if (typeof value === 'bigint' || typeof value === 'symbol') return this.#string(String(value));
    if (typeof value === 'number') return this.#plain(Number.isFinite(value) ? value : String(value));
    if (typeof value === 'boolean' || value === null) return this.#plain(value);
    if (typeof value !== 'object') return undefined;
    try {
      return this.#object(value);
    } catch (error) {
      return this.#string(`[${stringOf(() => error)}]`);
    }
  }

  #plain<T>(value: T): T | undefined {
    return this.#spend(utf8Bytes(String(value))) ? value : undefined;
  }

  #string(value: string): string | undefined {
    if (this.#bytesLeft < PUNCTUATION_BYTES) return this.#omit();
    const begin = cutToBytes(value, Math.min(MAX_STRING_BYTES, this.#bytesLeft - QUOTES_BYTES));
    const masked = withoutSecrets(begin);
    let kept = masked;
    // Escapes take up to six bytes for one, and a mask may be longer than what it masks.
    while (jsonBytes(kept) > this.#bytesLeft) kept = kept.slice(0, kept.length >> 1);
    this.#spend(jsonBytes(kept));
    if (begin.length === value.length && kept.length === masked.length) return kept;
    this.wasCut = true;
    return `${kept}…`;
  }

  #object(value: object): unknown {
    if (this.#around.includes(value)) return this.#string('[Circular]');
    if (this.#around.length === MAX_DEPTH) {
      this.wasCut = true;
      return this.#string('[Object]');
    }
    this.#around.push(value);
    try {
      return this.#parts(value);
    } finally {
      this.#around.pop();
    }
  }

  #parts(value: object): unknown {
    if (isError(value)) return this.#record(Object.entries(loggedError(value)));
    if (value instanceof Date)
      return this.of(Number.isNaN(value.getTime()) ? String(value) : value.toISOString());
    if (value instanceof RegExp) return this.of(String(value));
    if (value instanceof Map) return this.#map(value);
    if (value instanceof Set) return this.#list([...value]);
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
      return this.of(`[${value.byteLength} bytes]`);
    if (Array.isArray(value)) return this.#list(value);
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.of(value.toJSON());
    return this.#record(readableEntries(value));
  }

  #map(value: ReadonlyMap<unknown, unknown>): unknown {
    const entries = [...value];
    const isNamed = (entry: [unknown, unknown]): entry is [string, unknown] => typeof entry[0] === 'string';
    return entries.every(isNamed) ? this.#record(entries) : this.#list(entries);
  }

  #list(values: readonly unknown[]): unknown[] | undefined {
    const copies: unknown[] = [];
    if (!this.#spend(PUNCTUATION_BYTES)) return undefined;
    for (const [index, value] of values.entries()) {
      if (!this.#spend(PUNCTUATION_BYTES)) break;
      // A place in an array cannot be left out.
      copies.push(this.of(isSecretElement(values, index) ? MASK : value) ?? null);
    }
    return copies;
  }

  #record(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> | undefined {
    const copies: [string, unknown][] = [];
    if (!this.#spend(PUNCTUATION_BYTES)) return undefined;
    for (const [name, value] of entries) {
      if (value === undefined || typeof value === 'function') continue;
      if (!this.#spend(jsonBytes(name) + PUNCTUATION_BYTES)) break;
      copies.push([name, this.of(isSecretName(name) && isSecretValue(value) ? MASK : value)]);
    }
    return Object.fromEntries(copies);
  }

  #spend(bytes: number): boolean {
    if (bytes > this.#bytesLeft) {
      this.#omit();
      return false;
    }
    this.#bytesLeft -= bytes;
    return true;
  }

  #omit(): undefined {
    this.wasCut = true;
    return undefined;
  }
}

function jsonBytes(value: string): number {
  return utf8Bytes(JSON.stringify(value));
}
