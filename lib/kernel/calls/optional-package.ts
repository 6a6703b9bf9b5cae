import { SagaboxError } from '../errors/errors.ts';

/**
 * Loads an optional peer dependency, when it is first used.
 *
 * @param load imports the package by its literal name, so that bundlers find it, and {@link rethrow}s its
 *   error
 * @throws SagaboxError `Configuration` when the package is not installed
 */
export async function loadOptionalPackage<Package>(
  packageName: string,
  purpose: string,
  load: () => Promise<Package>,
): Promise<Package> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissing(packageName, cause)) throw cause;
    throw new SagaboxError(
      'Configuration',
      {
        setting: packageName,
        problem: `${purpose} needs this optional peer dependency, which is not installed`,
        remedy: `Run 'npm install ${packageName}'`,
      },
      { cause },
    );
  }
}

/**
 * Rethrows the error of an import, in its `.catch`: a bundler takes a package whose failure is caught to be
 * optional, and does not fail by itself when the package is missing.
 */
export function rethrow(error: unknown): never {
  throw error;
}

/**
 * Whether the package was not found by an import, or by the `require` that a bundler made of it. A missing
 * package that this one needs does not count.
 */
function isMissing(packageName: string, error: unknown): boolean {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  return (
    (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && message.includes(`'${packageName}'`)
  );
}
