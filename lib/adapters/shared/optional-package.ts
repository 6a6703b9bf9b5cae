import { SagaboxError } from '../../core/failures/errors.ts';

/**
 * Loads an optional peer dependency, when it is first used.
 *
 * @param load imports it by its literal name, so that bundlers find it, and {@link rethrow}s what that throws
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
 * For the `.catch` of an import: a bundler takes a package whose failure is caught to be optional, and does
 * not fail by itself when it is not there.
 */
export function rethrow(error: unknown): never {
  throw error;
}

/**
 * By an import, or by the `require` that a bundler made of it; not when a package that it needs itself is
 * missing.
 */
function isMissing(packageName: string, error: unknown): boolean {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  return (
    (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && message.includes(`'${packageName}'`)
  );
}
