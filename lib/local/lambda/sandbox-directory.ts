import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { configurationError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import { findInstalled, providedScopes } from './provided-packages.ts';
import { keepSources } from './source-maps.ts';

/**
 * Lays out the code of a function as Lambda does: the bundle in `task/`, and the packages that the runtime
 * provides in a `node_modules` above it, where Node looks after the bundle's own.
 *
 * @returns the folder of the bundle
 * @throws SagaboxError `Configuration` when a synth has not written the bundle
 */
export async function createSandboxDirectory(assetDirectory: string, sandbox: string): Promise<string> {
  const task = join(sandbox, 'task');
  await cp(assetDirectory, task, { recursive: true }).catch((error) => {
    const problem = `its code cannot be copied: ${thrownMessage(error)}`;
    throw configurationError(assetDirectory, problem, 'Run cdk synth again', { cause: error });
  });
  await keepSources(task, assetDirectory);
  await mkdir(join(sandbox, 'node_modules'), { recursive: true });
  for (const scope of providedScopes) {
    const provided = findInstalled(scope);
    if (provided !== undefined) await symlink(provided, join(sandbox, 'node_modules', scope), 'junction');
  }
  return task;
}
