import { gzipSync } from 'node:zlib';
import { allBundles, bundleNames } from '../../bench/bundle/bundle.ts';

type Sizes = Readonly<Record<string, { readonly bytes: number; readonly gzippedBytes: number }>>;

/** A bundle may grow by so much before it is told. */
const TOLERANCE = 1.01;

/** What a function deploys, minified, by the bundles of the benchmarks that hold sagabox. */
export async function bundleSizes(): Promise<string> {
  const bundles = await allBundles();
  const sizes = bundleNames
    .filter((name) => name.startsWith('sagabox'))
    .map((name) => {
      const { code } = bundles[name];
      return [name, { bytes: code.byteLength, gzippedBytes: gzipSync(code, { level: 9 }).byteLength }];
    });
  return `${JSON.stringify(Object.fromEntries(sizes), null, 2)}\n`;
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
