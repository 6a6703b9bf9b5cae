import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

export interface Installed {
  /** Packages that `npm ci` counts: workspaces too, and none that comes inside of another one. */
  readonly packages: number;
  /** MiB on the disk, as `du -m` counts them. */
  readonly mebibytes: number;
}

/** Packages by folder, as `package-lock.json` lists them; the root itself is ''. */
type Locked = Readonly<Record<string, { readonly link?: boolean; readonly inBundle?: boolean }>>;

/** @throws Error if nothing is installed */
export async function installedBelow(root: string): Promise<Installed> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as { packages: Locked };
  const paths = Object.keys(lock.packages).filter((path) => existsSync(join(root, path, 'package.json')));
  // Workspaces have folders of their own for versions that differ.
  const folders = new Set(paths.flatMap((path) => /^.*?node_modules(?=\/)/.exec(path) ?? []));
  if (folders.size === 0) throw new Error(`No package is installed below ${root}: run npm ci`);
  const packages = paths.filter((path) => {
    const { link, inBundle } = lock.packages[path] ?? {};
    return path !== '' && !link && !inBundle;
  });
  const sizes = [...folders].map((folder) => kibibytesOf(join(root, folder)));
  const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
  return { packages: packages.length, mebibytes: Math.ceil(sum / 1024) };
}

/** Without what tools keep there from run to run. */
async function kibibytesOf(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)('du', ['-k', '-d', '1', folder]);
  const sizes = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t') as [string, string])
      .map(([size, path]) => [path === folder ? '' : basename(path), Number(size)]),
  );
  return (sizes.get('') ?? 0) - (sizes.get('.cache') ?? 0);
}
