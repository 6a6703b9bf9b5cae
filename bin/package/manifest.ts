import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './repository.ts';

/** What the package.json of the repository says of the published package. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly homepage: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly bugs: { readonly url: string };
  readonly exports: Readonly<Record<string, string | { readonly 'sagabox-source': string }>>;
  readonly [field: string]: unknown;
}

/** They are for this repository only. */
const ownFields = ['private', 'scripts', 'devDependencies', 'optionalDependencies', 'allowScripts'];

export async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
}

/** The source of each entry point, by the name of its built file: `{ index: 'lib/index.ts', … }`. */
export function entryPoints({ exports }: Manifest): Record<string, string> {
  const sources = Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === 'string' ? [] : [[builtName(subpath), target['sagabox-source'].replace('./', '')]],
  );
  return Object.fromEntries(sources);
}

/** The package.json that users install: its entry points are the built files. */
export function publishedManifest(manifest: Manifest): Record<string, unknown> {
  const fields = Object.entries(manifest).filter(([name]) => !ownFields.includes(name));
  const exports = Object.entries(manifest.exports).map(([subpath, target]) => {
    if (typeof target === 'string') return [subpath, target];
    const built = `./lib/${builtName(subpath)}`;
    return [subpath, { types: `${built}.d.ts`, default: `${built}.js` }];
  });
  return { ...Object.fromEntries(fields), exports: Object.fromEntries(exports) };
}

function builtName(subpath: string): string {
  return subpath === '.' ? 'index' : subpath.replace('./', '');
}
