import { cp, mkdir, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The packages that the Lambda runtime provides, so that bundles leave them out. */
const providedScopes = ['@aws-sdk', '@smithy'] as const;

/**
 * Lays out the code of a function as Lambda does: the bundle in `task/`, and the packages that the runtime
 * provides in a `node_modules` above it, where Node looks after the bundle's own.
 *
 * @returns the folder of the bundle.
 */
export async function createSandboxDirectory(assetDirectory: string, sandbox: string): Promise<string> {
  const task = join(sandbox, 'task');
  await cp(assetDirectory, task, { recursive: true });
  await mkdir(join(sandbox, 'node_modules'), { recursive: true });
  for (const scope of providedScopes) {
    const provided = await findInstalled(scope);
    if (provided !== undefined) await symlink(provided, join(sandbox, 'node_modules', scope), 'junction');
  }
  return task;
}

async function findInstalled(scope: string): Promise<string | undefined> {
  for (const start of [process.cwd(), import.meta.dirname]) {
    for (let directory = start; ; directory = dirname(directory)) {
      const candidate = join(directory, 'node_modules', scope);
      if (await isDirectory(candidate)) return candidate;
      if (directory === dirname(directory)) break;
    }
  }
  return undefined;
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
