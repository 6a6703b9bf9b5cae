import { gzipSync } from 'node:zlib';
import { bundle } from '../../bench/bundle/bundle.ts';

type Sizes = Readonly<Record<string, { readonly bytes: number; readonly gzippedBytes: number }>>;

/** A bundle may grow by so much before it is told. */
const TOLERANCE = 1.01;

/** The bundles of the benchmarks that hold sagabox, as a function deploys them. */
const names = ['sagabox', 'sagaboxWithValibot', 'sagaboxWithZod'] as const;

/** Bytes of each bundle, minified. */
export async function bundleSizes(): Promise<string> {
  const sizes = names.map(async (name) => {
    const { code } = await bundle(name);
    return [name, { bytes: code.byteLength, gzippedBytes: gzipSync(code, { level: 9 }).byteLength }] as const;
  });
  return `${JSON.stringify(Object.fromEntries(await Promise.all(sizes)), null, 2)}\n`;
}

/** A line for each bundle that is new or has grown. */
export function bundleSizesDiffer(recorded: string, now: string): readonly string[] {
  const before = JSON.parse(recorded || '{}') as Sizes;
  return Object.entries(JSON.parse(now) as Sizes).flatMap(([name, { bytes, gzippedBytes }]) => {
    const known = before[name];
    if (known === undefined) return [`${name} is not recorded`];
    const hasGrown = bytes > known.bytes * TOLERANCE || gzippedBytes > known.gzippedBytes * TOLERANCE;
    const was = `${known.bytes} bytes, ${known.gzippedBytes} gzipped`;
    return hasGrown ? [`${name} has grown from ${was} to ${bytes} bytes, ${gzippedBytes} gzipped`] : [];
  });
}
