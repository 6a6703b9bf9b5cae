import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../support/source-files.ts';

export const execute = promisify(execFile);

const sources = join(import.meta.dirname, 'projects');
const installed = join(repository, 'node_modules');

/** What a project that needs none of the optional clients has no use for. */
const optionalClients = ['cloudformation', 'eventbridge', 's3', 'scheduler', 'sns', 'ssm'];

/** Folders of projects that have installed the package as npm would. */
export interface PackedProjects {
  readonly esModules: string;
  readonly commonJs: string;
  /** Without an engine and without the CDK. */
  readonly withoutEngines: string;
  remove(): Promise<void>;
}

/** Packs the package, and puts it into projects whose other packages are links to those of this repository. */
export async function makeProjects(): Promise<PackedProjects> {
  const root = await mkdtemp(join(tmpdir(), 'sagabox-packed-'));
  try {
    const withEngines = join(root, 'with-engines');
    // In a folder beside it: Node looks for packages in the folders above too.
    const withoutEngines = join(root, 'without-engines');
    await execute('npm', ['pack', '--loglevel=error', '--pack-destination', root], { cwd: repository });
    const [tarball = ''] = (await readdir(root)).filter((name) => name.endsWith('.tgz'));
    const packages = (await readdir(installed)).filter((name) => !/^(\.|@aws-sdk$|sagabox$)/.test(name));
    const clients = (await readdir(join(installed, '@aws-sdk'))).map((name) => `@aws-sdk/${name}`);
    const isOptional = (name: string) =>
      optionalClients.some((client) => name === `@aws-sdk/client-${client}`);
    const needed = clients.filter((name) => !isOptional(name));
    await install(withEngines, join(root, tarball), [...packages, ...needed]);
    await install(withoutEngines, join(root, tarball), ['commander', 'valibot', 'yaml', ...needed]);
    // A workspace, as a monorepo has it: the relay's entry is bundled from below its lock file.
    await writeFile(join(withEngines, 'package-lock.json'), '{}');
    return {
      esModules: await addProject(join(withEngines, 'es-modules'), 'module'),
      commonJs: await addProject(join(withEngines, 'common-js'), 'commonjs'),
      withoutEngines: await addProject(withoutEngines, 'module'),
      remove: () => rm(root, { recursive: true, force: true }),
    };
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

async function install(folder: string, tarball: string, linked: readonly string[]): Promise<void> {
  const packages = join(folder, 'node_modules');
  await mkdir(join(packages, '@aws-sdk'), { recursive: true });
  await Promise.all(linked.map((name) => symlink(join(installed, name), join(packages, name))));
  await execute('tar', ['-xzf', tarball, '-C', packages, '--transform', 's/^package/sagabox/']);
}

async function addProject(folder: string, type: 'module' | 'commonjs'): Promise<string> {
  await cp(sources, folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type }));
  return folder;
}
