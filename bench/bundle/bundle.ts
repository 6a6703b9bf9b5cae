import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import type { BundlePart } from '../benchmark/benchmark-figures.ts';

export type BundleName = 'sagabox' | 'powertools' | 'middy';

export const bundleNames: readonly BundleName[] = ['sagabox', 'powertools', 'middy'];

export interface Bundle {
  readonly name: BundleName;
  readonly code: Uint8Array;
  readonly kB: number;
  readonly gzipKB: number;
  /** Folders of sagabox, and packages; largest first. */
  readonly parts: readonly BundlePart[];
  /** What of the SDK is loaded with the bundle itself, rather than when it is first used. */
  readonly sdkLoadedAtOnce: readonly string[];
}

const repository = join(import.meta.dirname, '..', '..');

/** The smallest whole use of each, bundled as the CDK bundles a function for Lambda, but without its SDK. */
export async function bundle(name: BundleName): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: repository,
    entryPoints: [join(import.meta.dirname, `${name}-entry.ts`)],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['sagabox-source'],
    external: ['@aws-sdk/*'],
    legalComments: 'none',
    metafile: true,
    write: false,
    outdir: 'bundle',
  });
  const code = outputFiles[0]?.contents;
  const output = Object.values(metafile.outputs)[0];
  if (code === undefined || output === undefined) throw new Error(`esbuild made nothing of ${name}`);
  return {
    name,
    code,
    kB: kilobytes(code.byteLength),
    gzipKB: kilobytes(gzipSync(code, { level: 9 }).byteLength),
    parts: partsOf(output),
    sdkLoadedAtOnce: sdkOf(output),
  };
}

type Output = Metafile['outputs'][string];

function partsOf({ inputs }: Output): BundlePart[] {
  const bytesOf = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const part = partOf(path);
    bytesOf.set(part, (bytesOf.get(part) ?? 0) + bytesInOutput);
  }
  const parts = [...bytesOf].map(([part, bytes]) => ({ part, kB: kilobytes(bytes) }));
  return parts.filter(({ kB }) => kB > 0).toSorted((a, b) => b.kB - a.kB);
}

function partOf(path: string): string {
  const [, packageName] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  if (packageName !== undefined) return packageName;
  return path
    .split('/')
    .slice(0, path.startsWith('lib/adapters/') ? 3 : 2)
    .join('/');
}

function sdkOf({ imports }: Output): string[] {
  const atOnce = imports.filter(({ kind, external }) => external && kind === 'import-statement');
  const packages = atOnce.map(({ path }) => path).filter((path) => path.startsWith('@aws-sdk/'));
  return [...new Set(packages)].toSorted();
}

function kilobytes(bytes: number): number {
  return Math.round(bytes) / 1000;
}
