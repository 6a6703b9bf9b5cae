import { fileURLToPath } from 'node:url';

/** The entry of a function of the package. The published package has all its code in one folder. */
export function packageEntry(name: 'relay-handler' | 'watcher-handler'): string {
  const path = import.meta.url.endsWith('.ts') ? `../../${name}.ts` : `./${name}.js`;
  return fileURLToPath(new URL(path, import.meta.url));
}
