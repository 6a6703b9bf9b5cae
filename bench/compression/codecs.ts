import * as zlib from 'node:zlib';

export interface Codec {
  readonly name: string;
  readonly compress: (bytes: Uint8Array) => Uint8Array;
}

const { constants } = zlib;

function brotli(quality: number): Codec {
  return {
    name: `brotli ${quality}`,
    compress: (bytes) =>
      zlib.brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
        },
      }),
  };
}

function zstandard(level: number): Codec {
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  return { name: `zstd ${level}`, compress: (bytes) => zlib.zstdCompressSync(bytes, { params }) };
}

/** Zstandard is in Node from 22.15 on. */
const hasZstandard = typeof zlib.zstdCompressSync === 'function';

export const codecs: readonly Codec[] = [
  { name: 'none', compress: (bytes) => bytes },
  ...[1, 4, 5, 6, 9, 11].map(brotli),
  ...(hasZstandard ? [3, 19].map(zstandard) : []),
];
