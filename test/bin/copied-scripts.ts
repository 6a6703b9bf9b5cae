import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { beforeEach } from '@jest/globals';
import { repository } from '../support/source-files.ts';
import { directoryOfTest } from '../support/temporary-directory.ts';

/**
 * Copies, in a folder of each test, of the scripts that run before others, and of folders with packages of
 * their own. Nothing is installed there: a program stands for npm.
 */
export function copyOfScripts(...folders: string[]) {
  const inCopy = directoryOfTest();
  const installRoot = () => {
    mkdirSync(inCopy('node_modules'));
    writeFileSync(inCopy('node_modules', '.package-lock.json'), '{}');
  };
  beforeEach(() => {
    writeFileSync(inCopy('package.json'), '{ "type": "module" }');
    for (const script of ['bin/check-prerequisites.js', 'bin/install-folder.js'])
      cpSync(join(repository, script), inCopy(script));
    for (const folder of folders) {
      mkdirSync(inCopy(folder, 'packages'), { recursive: true });
      writeFileSync(inCopy(folder, 'packages/package.json'), '{}');
      writeFileSync(inCopy(folder, 'packages/package-lock.json'), '{}');
    }
    installRoot();
    mkdirSync(inCopy('programs'));
    writeFileSync(inCopy('programs/npm'), npm, { mode: 0o755 });
  });
  return {
    inCopy,
    /** Leaves what npm leaves behind the packages of the root. */
    installRoot,
    environment: (): NodeJS.ProcessEnv => ({
      ...process.env,
      PATH: [inCopy('programs'), process.env.PATH].join(delimiter),
      NPM_LOG: inCopy('npm.log'),
    }),
    /** The folders that the scripts had npm install packages for, in its order. */
    installed: (): string[] => {
      if (!existsSync(inCopy('npm.log'))) return [];
      const lines = readFileSync(inCopy('npm.log'), 'utf8').trim().split('\n');
      return lines.map((directory) => relative(inCopy(), join(directory, '..')));
    },
  };
}

/** Installs one package, after a time in which another command begins; or fails. */
const npm = `#!/bin/sh
pwd >> "$NPM_LOG"
[ -z "$NPM_FAILS" ] || { echo 'npm error network' >&2; exit 1; }
[ "$1" = ci ] && [ -f package-lock.json ] && [ -f package.json ] || exit 64
mkdir -p node_modules/amplify-dynamodb-simulator
sleep 0.2
cp package-lock.json node_modules/amplify-dynamodb-simulator/package.json
echo 'added 1 package'
`;
