import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  filesIn,
  importedFile,
  importedPackage,
  readSources,
  repository,
  type SourceFile,
} from '../support/source-files.ts';

const roots = ['bin', 'lib', 'lambdas', 'test', 'bench', 'examples', 'site', 'site/.vitepress'];
const sources = roots.flatMap((root) => readSources(root));

/** The packages of each folder that has some of its own. */
const declared = new Map(
  filesIn('.', 'packages/package.json').map((path) => {
    const { devDependencies } = JSON.parse(readFileSync(join(repository, path), 'utf8'));
    return [dirname(dirname(path)), Object.keys(devDependencies)] as const;
  }),
);

const importsPackageOf = (folder: string, { path, imports }: SourceFile): boolean =>
  path.startsWith(`${folder}/`) &&
  imports.some((imported) => declared.get(folder)?.includes(importedPackage(imported) ?? ''));

/** The folders whose code imports packages of their own. */
export const foldersWithPackages = [...declared.keys()].filter((folder) =>
  sources.some((source) => importsPackageOf(folder, source)),
);

/** The files that cannot be compiled without the packages of these folders: those that import them, and what imports those. */
export function filesThatNeed(folders: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: importer, imports } of sources)
      if (imports.some((imported) => importedFile(importer, imported) === path)) add(importer);
  };
  for (const source of sources)
    if (folders.some((folder) => importsPackageOf(folder, source))) add(source.path);
  return [...found].sort();
}
