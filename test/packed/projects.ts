import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../bin/package/build-package.ts';
import { repository } from '../support/source-files.ts';

export const execute = promisify(execFile);

const sources = join(import.meta.dirname, 'projects');
/** The root, this folder, and the one with the CDK's command line. */
const places = ['.', 'test/packed', 'test/deployment'].map((folder) =>
  join(repository, folder, 'node_modules'),
);

/** A package that is installed here, or a file of it. */
export function installedPath(path: string): string {
  const found = places.map((place) => join(place, path)).find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`${path} is not installed: run it with npm run check-package`);
  return found;
}

/** What the projects install besides: optional peers that they use, and packages of their own. */
const ofProjects = [
  '@jest/globals',
  '@opentelemetry/api',
  '@types/node',
  'aws-cdk-lib',
  'constructs',
  'jest',
  'vitest',
  'zod',
];
/** As far as they are installed: each platform has its own. */
const engines = ['@dynoxide/linux-x64', 'dynoxide', 'amplify-dynamodb-simulator', 'fauxqs'];

/** Folders of projects that have installed the package as npm would. */
export interface PackedProjects {
  readonly esModules: string;
  readonly commonJs: string;
  /** Without an engine and without the CDK. */
  readonly withoutEngines: string;
  /** With the older major of Middy. */
  readonly withMiddy6: string;
  /** With the dependencies of the package in its own folder, where no other package finds them. */
  readonly withNested: string;
  readonly tarball: string;
  remove(): Promise<void>;
}

/**
 * Packs the package, and puts it into projects whose other packages are links to those of this repository: what
 * the package declares, and nothing that it does not.
 */
export async function makeProjects(): Promise<PackedProjects> {
  const root = await mkdtemp(join(tmpdir(), 'sagabox-packed-'));
  try {
    // In folders beside each other: Node looks for packages in the folders above too.
    const withEngines = join(root, 'with-engines');
    const withoutEngines = join(root, 'without-engines');
    const withMiddy6 = join(root, 'with-middy-6');
    const withNested = join(root, 'with-nested');
    const packing = ['pack', await buildPackage(), '--loglevel=error', '--pack-destination', root];
    await execute('npm', packing, { cwd: repository });
    const [name = ''] = (await readdir(root)).filter((file) => file.endsWith('.tgz'));
    const tarball = join(root, name);
    const { dependencies, peers } = await neededPackages();
    const needed = [...dependencies, ...peers];
    const installedEngines = engines.filter((engine) => existsSync(join(repository, 'node_modules', engine)));
    await install(withEngines, tarball, [...needed, ...ofProjects, ...installedEngines]);
    await install(withoutEngines, tarball, needed);
    await install(withMiddy6, tarball, [...needed, ...ofProjects], { '@middy/core': 'middy-6' });
    await install(withNested, tarball, [...peers, ...ofProjects]);
    await link(join(withNested, 'node_modules/sagabox/node_modules'), dependencies);
    // A workspace, as a monorepo has it: the relay's entry is bundled from below its lock file.
    await writeFile(join(withEngines, 'package-lock.json'), '{}');
    return {
      esModules: await addProject(join(withEngines, 'es-modules'), 'module'),
      commonJs: await addProject(join(withEngines, 'common-js'), 'commonjs'),
      withoutEngines: await addProject(withoutEngines, 'module'),
      withMiddy6: await addProject(join(withMiddy6, 'es-modules'), 'module'),
      withNested: await addProject(join(withNested, 'es-modules'), 'module'),
      tarball,
      remove: () => rm(root, { recursive: true, force: true }),
    };
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

/** The dependencies of the package, and its peers that are not optional. */
async function neededPackages(): Promise<{ dependencies: string[]; peers: string[] }> {
  const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  const { dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return { dependencies: Object.keys(dependencies), peers };
}

/** @param aliases what a package is called in this repository */
async function install(
  folder: string,
  tarball: string,
  linked: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): Promise<void> {
  const packages = join(folder, 'node_modules');
  await link(packages, linked, aliases);
  await execute('tar', ['-xzf', tarball, '-C', packages, '--transform', 's/^package/sagabox/']);
}

async function link(
  packages: string,
  linked: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const name of linked) {
    await mkdir(dirname(join(packages, name)), { recursive: true });
    await symlink(installedPath(aliases[name] ?? name), join(packages, name));
  }
}

async function addProject(folder: string, type: 'module' | 'commonjs'): Promise<string> {
  await cp(sources, folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type }));
  return folder;
}
