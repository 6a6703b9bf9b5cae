import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/**
 * By measurement (docs/reference/capacity.md): 9 and above take ten to two hundred times as long and save no
 * write unit for up to 100 messages; lower ones cost a unit more here and there.
 */
export const BROTLI_QUALITY = 5;

/** How packed bytes are stored: 'br' is brotli. Without an encoding they are what they are. */
export type Encoding = 'br';

export function isEncoding(value: string): value is Encoding {
  return value === 'br';
}

export function compress(bytes: Uint8Array): Uint8Array {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    },
  });
}

/** @throws Error when the bytes are not just what `compress` made, or stand for more than `maxBytes`. */
export function decompress(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const { buffer, engine } = inflate(bytes, maxBytes);
  if (engine.bytesWritten !== bytes.byteLength)
    throw new Error('something else follows the compressed bytes');
  return buffer;
}

function inflate(bytes: Uint8Array, maxBytes: number): Inflated {
  try {
    const inflated: unknown = brotliDecompressSync(bytes, { maxOutputLength: maxBytes, info: true });
    return inflated as Inflated;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new Error(`they inflate to more than ${maxBytes} bytes`, { cause: error });
  }
}

interface Inflated {
  readonly buffer: Uint8Array;
  /** `bytesWritten`: how many of the compressed bytes it took. */
  readonly engine: { readonly bytesWritten: number };
}

/**
 * Returns the form that takes fewer write units. A plain form of one unit cannot be beaten: the compressed one is
 * not made then.
 */
export function cheaperForm<Form>(
  plain: Form,
  compressed: () => Form,
  unitsOf: (form: Form) => number,
): Form {
  const units = unitsOf(plain);
  if (units === 1) return plain;
  const other = compressed();
  return unitsOf(other) < units ? other : plain;
}
