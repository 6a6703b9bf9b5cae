import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { lambdaBundle } from '../../test/support/lambda-bundle.ts';
import type { Figures } from '../benchmark/figures.ts';
import { mapNames } from '../benchmark/in-turns.ts';
import type { BenchRun } from '../benchmark/measure-parts.ts';

const entries = {
  sagabox: 'sagabox-entry.ts',
  sagaboxWithValibot: 'sagabox-valibot-entry.ts',
  sagaboxWithZod: 'sagabox-zod-entry.ts',
  powertools: 'powertools-entry.ts',
  middy: 'middy-entry.ts',
} as const;
export type BundleName = keyof typeof entries;
export const bundleNames = Object.keys(entries) as BundleName[];

export interface Bundle {
  readonly code: Uint8Array;
  /** kB by folder of sagabox or by package, largest first. */
  readonly parts: Readonly<Record<string, number>>;
  /** The packages of the SDK that are loaded with the bundle itself, rather than when it first uses them. */
  readonly sdkLoadedAtOnce: string[];
  readonly metafile: Metafile;
}

type Output = Metafile['outputs'][string];

/** The sizes of what is deployed to Lambda. */
export async function measureBundle({ signal, progress }: BenchRun): Promise<Figures['bundle']> {
  progress('Bundle: sagabox, Powertools batch and idempotency, and bare middy');
  signal.throwIfAborted();
  const bundles = await allBundles();
  return {
    kB: mapNames(bundleNames, (name) => sizeOf(bundles[name]).kB),
    gzipKB: mapNames(bundleNames, (name) => sizeOf(bundles[name]).gzipKB),
    parts: { sagabox: bundles.sagabox.parts, powertools: bundles.powertools.parts },
  };
}

/** In kB of 1,000 bytes. */
export function sizeOf({ code }: Pick<Bundle, 'code'>): { readonly kB: number; readonly gzipKB: number } {
  return { kB: code.byteLength / 1000, gzipKB: gzipSync(code, { level: 9 }).byteLength / 1000 };
}

export async function allBundles(): Promise<Readonly<Record<BundleName, Bundle>>> {
  const bundles = bundleNames.map(async (name) => [name, await bundle(name)] as const);
  return Object.fromEntries(await Promise.all(bundles)) as Record<BundleName, Bundle>;
}

/** The smallest whole use of each, bundled as the CDK bundles a function for Lambda, but without its SDK. */
export async function bundle(name: BundleName): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...lambdaBundle,
    entryPoints: [join(import.meta.dirname, entries[name])],
    metafile: true,
    outdir: 'bundle',
  });
  const code = outputFiles[0]?.contents;
  const output = Object.values(metafile.outputs)[0];
  if (code === undefined || output === undefined) throw new Error(`esbuild made no bundle of ${name}`);
  return { code, parts: partsOf(output), sdkLoadedAtOnce: sdkOf(output), metafile };
}

function partsOf({ inputs }: Output): Record<string, number> {
  const byPart = Map.groupBy(Object.entries(inputs), ([path]) => partOf(path));
  const parts = [...byPart].map(([part, files]) => {
    const bytes = files.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
    return [part, bytes / 1000] as const;
  });
  return Object.fromEntries(parts.filter(([, kB]) => kB > 0).toSorted(([, a], [, b]) => b - a));
}

function partOf(path: string): string {
  const [, packageName] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return packageName ?? path.split('/').slice(0, 2).join('/');
}

function sdkOf({ imports }: Output): string[] {
  const atOnce = imports.filter(({ kind, external }) => external && kind === 'import-statement');
  const packages = atOnce.map(({ path }) => path).filter((path) => path.startsWith('@aws-sdk/'));
  return [...new Set(packages)].toSorted();
}
