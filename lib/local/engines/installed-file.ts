import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * A file of a package that may not be installed: beside sagabox, or where the process runs. Undefined when it
 * is not there.
 *
 * @param broughtBy a package that depends on it: some package managers put it in reach of that one alone
 */
export function findInstalledFile(packageName: string, file: string, broughtBy?: string): string | undefined {
  const places = [import.meta.dirname, process.cwd()];
  const ofOther = broughtBy === undefined ? undefined : resolveFrom(places, `${broughtBy}/package.json`);
  return resolveFrom(ofOther ? [...places, dirname(ofOther)] : places, `${packageName}/${file}`);
}

/** The package, or the file: one that has `exports` may keep it to itself. */
const notFound = ['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'];

function resolveFrom(paths: string[], wanted: string): string | undefined {
  try {
    return require.resolve(wanted, { paths });
  } catch (error) {
    if (!notFound.includes(String((error as NodeJS.ErrnoException).code))) throw error;
    return undefined;
  }
}
