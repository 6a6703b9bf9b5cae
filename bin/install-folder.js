import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const files = ['package.json', 'package-lock.json'];
const prefix = '.installing-';

/**
 * Installs the packages of a folder, when those of its lock file are not there yet: the root has only what
 * `npm start` and `npm test` need. They are put in their place at once, so that of two commands that begin
 * together neither finds half of them, and so that one that is interrupted leaves none.
 *
 * A package.json beside the code would hide that of the root, by which the code finds `sagabox` itself: it is in
 * the subfolder `packages`.
 *
 * @param folder from the root of the repository: 'bench'
 * @param command what needs them: 'npm run bench'
 * @returns what failed, with its remedy; undefined when the packages are there
 */
export function installFolder(repository, folder, command) {
  const home = join(repository, folder);
  const declared = join(home, 'packages');
  const packages = join(home, 'node_modules');
  const lockFile = `${folder}/packages/package-lock.json`;
  const stamp = createHash('sha256')
    .update(readFileSync(join(repository, lockFile)))
    .digest('hex');
  const isInstalled = () => {
    const file = join(packages, '.lock.sha256');
    return existsSync(file) && readFileSync(file, 'utf8') === stamp;
  };
  if (isInstalled()) return undefined;

  console.error(`Installing what '${command}' needs (${lockFile}) ...`);
  const made = join(home, `${prefix}${process.pid}`);
  try {
    removeInterrupted(home);
    mkdirSync(made);
    for (const file of files) copyFileSync(join(declared, file), join(made, file));
    const failure = runNpm(made);
    if (failure !== undefined)
      return `${lockFile} cannot be installed, as ${failure}: see npm's output above, check your network and registry ('npm ping'), and run '${command}' again.`;
    writeFileSync(join(made, 'node_modules', '.lock.sha256'), stamp);
    if (!isInstalled() && existsSync(packages)) renameSync(packages, join(made, 'former'));
    if (!isInstalled()) renameSync(join(made, 'node_modules'), packages);
  } catch (error) {
    // Another command may have put its packages there in between.
    if (!isInstalled()) return `${lockFile} cannot be installed: ${error.message}`;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return undefined;
}

/** npm writes to the standard error: the standard output is that of the command. */
function runNpm(directory) {
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: directory,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (error) return `npm does not start (${error.message})`;
  return status === 0 ? undefined : `npm ended with exit code ${status}`;
}

/** What commands have left that were ended while they installed. */
function removeInterrupted(home) {
  for (const name of readdirSync(home)) {
    const id = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : undefined;
    if (id !== undefined && (id === process.pid || !isRunning(id)))
      rmSync(join(home, name), { recursive: true, force: true });
  }
}

function isRunning(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
