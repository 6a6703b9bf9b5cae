import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A file of a package that may not be installed: beside sagabox, or where the process runs. Undefined when it is not there. */
export function findInstalledFile(packageName: string, file: string): string | undefined {
  try {
    return require.resolve(`${packageName}/${file}`, { paths: [import.meta.dirname, process.cwd()] });
  } catch {
    return undefined;
  }
}
