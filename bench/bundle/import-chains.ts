import type { Metafile } from 'esbuild';

/** Re-exports the whole API, and imports for its own use nothing. */
const ROOT = 'lib/index.ts';

/**
 * Chains of imports from the entry of a bundle to the files in it that match, each as `entry -> … -> file`. The
 * shortest chain is named for each file.
 */
export function importChains({ inputs, outputs }: Metafile, files: RegExp): string[] {
  const contributions = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const bundled = new Set(
    contributions.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path),
  );
  const importsOf = (path: string) => (inputs[path]?.imports ?? []).map((imported) => imported.path);
  const importedElsewhere = new Set([...bundled].flatMap(importsOf));
  // What the root only re-exports is in the bundle for another importer, if it has one.
  const follows = (importer: string, path: string) =>
    path === ROOT || (bundled.has(path) && !(importer === ROOT && importedElsewhere.has(path)));

  const entries = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const chains = new Map(entries.map((path) => [path, path]));
  // A map is iterated in the order of insertion, also over what is added meanwhile: breadth first.
  for (const [importer, chain] of chains) {
    for (const path of importsOf(importer)) {
      if (!chains.has(path) && follows(importer, path)) chains.set(path, `${chain} -> ${path}`);
    }
  }
  return [...bundled].filter((path) => files.test(path)).map((path) => chains.get(path) ?? path);
}
