import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The packages that the Lambda runtime provides, so that bundles leave them out. */
export const providedScopes = ['@aws-sdk', '@smithy'] as const;

/** The folder of a scope here, which stands in for that of the Lambda runtime. */
export function findInstalled(scope: string): string | undefined {
  return [process.cwd(), import.meta.dirname]
    .flatMap((start) => createRequire(join(start, 'any.js')).resolve.paths(scope) ?? [])
    .map((directory) => join(directory, scope))
    .find((candidate) => existsSync(candidate));
}

/** Whether functions find a package of the Lambda runtime here, such as '@aws-sdk/client-sns'. */
export function isProvided(packageName: string): boolean {
  const [scope = '', name = ''] = packageName.split('/');
  const directory = findInstalled(scope);
  return directory !== undefined && existsSync(join(directory, name));
}
