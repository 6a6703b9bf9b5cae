import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Refusal } from '../../kernel/checks/problems.ts';
import type { FunctionProps } from './function-props.ts';

const lockFileNames = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb', 'package-lock.json'];

type ProjectSettings = Pick<FunctionProps, 'depsLockFilePath' | 'projectRoot'>;

/** Why CDK could not bundle an entry that there is: it takes a project with a lock file, and the entry in it. */
export function projectProblem(
  entry: string,
  { depsLockFilePath, projectRoot }: ProjectSettings,
): (Refusal & { readonly setting: string }) | undefined {
  // As CDK does, which looks upwards from the working directory.
  const lockFile = depsLockFilePath ?? nearestLockFile(entry) ?? nearestLockFile(resolve('synth'));
  if (lockFile === undefined) {
    return {
      setting: 'entry',
      problem: `no directory above '${resolve(entry)}' holds a lock file`,
      remedy: `Install the packages of its project, or give functionProps.depsLockFilePath`,
    };
  }
  if (!isFile(lockFile)) {
    return {
      setting: 'functionProps',
      problem: `depsLockFilePath: there is no file '${resolve(lockFile)}'`,
      remedy: 'Give the path of a lock file, or leave it out to use the nearest one above the entry',
    };
  }
  const root = resolve(projectRoot ?? dirname(lockFile));
  if (projectRoot !== undefined && isOutside(root, lockFile)) {
    return {
      setting: 'functionProps',
      problem: `projectRoot: the lock file '${resolve(lockFile)}' is not under '${root}'`,
      remedy: 'Give a projectRoot above both the entry and the lock file',
    };
  }
  if (!isOutside(root, entry)) return undefined;
  return {
    setting: 'entry',
    problem: `'${resolve(entry)}' is not under '${root}', the project of the lock file`,
    remedy: 'Give an entry of that project, or functionProps.projectRoot with a directory above both',
  };
}

function isOutside(root: string, path: string): boolean {
  const way = relative(root, resolve(path));
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/**
 * The lock file of the project that the entry belongs to. CDK would look upwards from the working directory,
 * so that synth would depend on where it is called.
 */
export function nearestLockFile(entry: string): string | undefined {
  let directory = dirname(resolve(entry));
  for (;;) {
    const found = lockFileNames.map((name) => join(directory, name)).find(isFile);
    if (found !== undefined) return found;
    const parent = dirname(directory);
    if (parent === directory) return undefined;
    directory = parent;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
