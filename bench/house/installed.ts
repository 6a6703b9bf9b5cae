import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

export interface Installed {
  /** Packages that `npm ci` counts: without those that come inside of another one. */
  readonly packages: number;
  /** MiB on the disk, as `du -m` counts them. */
  readonly mebibytes: number;
}

/** What npm wrote into `node_modules` about the packages in it. */
type Written = Readonly<Record<string, { readonly link?: boolean; readonly inBundle?: boolean }>>;

/** @throws Error if nothing is installed */
export async function installedBelow(root: string): Promise<Installed> {
  const file = join(root, 'node_modules', '.package-lock.json');
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new Error(`${file} is missing, which npm writes when it installs: run npm ci`, { cause });
  });
  const written = (JSON.parse(text) as { packages: Written }).packages;
  const packages = Object.values(written).filter(({ link, inBundle }) => !link && !inBundle);
  // Workspaces have folders of their own for versions that differ.
  const folders = new Set(Object.keys(written).flatMap((path) => /^.*?node_modules(?=\/)/.exec(path) ?? []));
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
