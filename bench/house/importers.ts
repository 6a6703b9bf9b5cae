import { basename } from 'node:path';
import { importedFile, type SourceFile } from '../../test/support/source-files.ts';

/** Longer files are more than a private helper of their importer. */
const MAX_LINES = 60;

/** Files of at most 60 lines, comments included, that exactly one other file imports, by value or by type. */
export function loneImports(sources: readonly Pick<SourceFile, 'path' | 'text' | 'imports'>[]): string[] {
  const importers = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    for (const imported of imports) {
      const file = importedFile(path, imported);
      if (file !== undefined) importers.set(file, (importers.get(file) ?? new Set()).add(path));
    }
  }
  const isShort = (text: string) => text.replace(/\n$/, '').split('\n').length <= MAX_LINES;
  return sources
    .filter(({ path, text }) => importers.get(path)?.size === 1 && isShort(text))
    .map(({ path }) => path);
}

/** The files of each base name that occurs more than once. */
export function repeatedNames(paths: readonly string[]): Record<string, string[]> {
  const byName = Map.groupBy(paths, (path) => basename(path));
  byName.delete('index.ts');
  return Object.fromEntries([...byName].filter(([, files]) => files.length > 1));
}
