import { createRequire } from 'node:module';
import { SagaboxError } from '../core/errors.ts';

const require = createRequire(import.meta.url);

/**
 * The file of an optional peer dependency, looked up only when it is used.
 *
 * @throws SagaboxError `Configuration` when the package is not installed.
 */
export function resolveOptionalPackage(packageName: string, file: string): string {
  try {
    return require.resolve(`${packageName}/${file}`, { paths: [import.meta.dirname, process.cwd()] });
  } catch (cause) {
    throw new SagaboxError(
      'Configuration',
      {
        setting: packageName,
        problem: 'the local runtime needs this optional peer dependency, which is not installed',
        remedy: `Run 'npm install --save-dev ${packageName}'`,
      },
      { cause },
    );
  }
}
