import { existsSync, readFileSync } from 'node:fs';

/** Of the package that holds this file: the sources are one folder deeper than what is built of them. */
export function packageVersion(): string {
  const candidates = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));
  const found = candidates.find((file) => existsSync(file)) as URL;
  return JSON.parse(readFileSync(found, 'utf8')).version;
}
