import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { repository } from '../support/source-files.ts';
import type { Change, Mutation } from './mutation.ts';

/** A source with the mutation in it. @throws when its piece of text is not there exactly once */
export function mutate(source: string, { file, piece, becomes }: Change, name: string): string {
  const places = source.split(piece).length - 1;
  if (places !== 1) throw new Error(`Mutation '${name}': its piece is in ${file} ${places} times, not once`);
  return source.replace(piece, () => becomes);
}

export function mutating(mutation: Change & Pick<Mutation, 'name' | 'also'>): Plugin {
  const { name, also } = mutation;
  return {
    name: 'mutation',
    setup({ onLoad }) {
      for (const change of [mutation, ...(also ? [also] : [])]) {
        const filter = new RegExp(`/${change.file.replaceAll('.', '\\.')}$`);
        onLoad({ filter }, async ({ path }) => {
          return { contents: mutate(await readFile(path, 'utf8'), change, name), loader: 'ts' };
        });
      }
    },
  };
}

/**
 * Bundles the simulation with the package's own sources.
 *
 * @param folder where packages can be found, see {@link linkPackages}
 * @param mutation of one of the sources; without one, they are as they are
 * @returns the path of the module
 */
export async function buildSimulation(
  folder: string,
  fileName: string,
  mutation?: Change & Pick<Mutation, 'name' | 'also'>,
  entryPoint = 'test/simulation/check-histories.ts',
): Promise<string> {
  const outfile = join(folder, fileName);
  await build({
    entryPoints: [join(repository, entryPoint)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    alias: { sagabox: join(repository, 'lib/index.ts') },
    packages: 'external',
    logLevel: 'silent',
    plugins: mutation ? [mutating(mutation)] : [],
  });
  return outfile;
}

/** Lets modules in a folder find the packages of the repository. */
export async function linkPackages(folder: string): Promise<void> {
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
}
