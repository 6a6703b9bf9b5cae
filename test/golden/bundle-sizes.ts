import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { lambdaBundle } from '../support/lambda-bundle.ts';
import { repository } from '../support/source-files.ts';

type Sizes = Readonly<Record<string, { readonly bytes: number; readonly gzippedBytes: number }>>;

/** A bundle may grow by so much before it is told. */
const TOLERANCE = 1.01;

/** The functions of the sample: one with a saga, and one without. */
const functions = ['orders', 'billing'] as const;

/** Bytes of each function, minified, without the SDK. */
export async function bundleSizes(): Promise<string> {
  const sizes = functions.map(async (name) => {
    const code = await bundled(join(repository, 'lambdas', `${name}.ts`));
    return [name, { bytes: code.byteLength, gzippedBytes: gzipSync(code, { level: 9 }).byteLength }] as const;
  });
  return `${JSON.stringify(Object.fromEntries(await Promise.all(sizes)), null, 2)}\n`;
}

async function bundled(entry: string): Promise<Uint8Array> {
  const { outputFiles } = await build({ ...lambdaBundle, entryPoints: [entry] });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`esbuild made no bundle of ${entry}`);
  return file.contents;
}

/** A line for each bundle that is new, has grown or is no more. */
export function bundleSizesDiffer(recorded: string, now: string): readonly string[] {
  const before = JSON.parse(recorded || '{}') as Sizes;
  const after = JSON.parse(now) as Sizes;
  const gone = Object.keys(before).filter((name) => !(name in after));
  const others = Object.entries(after).flatMap(([name, { bytes, gzippedBytes }]) => {
    const known = before[name];
    if (known === undefined) return [`${name} is not recorded`];
    const hasGrown = bytes > known.bytes * TOLERANCE || gzippedBytes > known.gzippedBytes * TOLERANCE;
    const was = `${known.bytes} bytes, ${known.gzippedBytes} gzipped`;
    return hasGrown ? [`${name} has grown from ${was} to ${bytes} bytes, ${gzippedBytes} gzipped`] : [];
  });
  return [...gone.map((name) => `${name} is recorded, and not made any more`), ...others];
}
