import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { copyOfScripts } from './copied-scripts.ts';

const { inCopy, environment, installed } = copyOfScripts('bench', 'test/packed');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function prepare(variables: NodeJS.ProcessEnv = {}, ...folders: string[]): Promise<Ended> {
  const args = [inCopy('bin/check-prerequisites.js'), '--node-only', ...folders];
  const env = { ...environment(), npm_lifecycle_event: 'prebench', ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const packageOf = (folder: string) =>
  readFileSync(inCopy(folder, 'node_modules/amplify-dynamodb-simulator/package.json'), 'utf8');
const lock = (content: string) => writeFileSync(inCopy('bench/packages/package-lock.json'), content);

it('packages of a folder are installed once, with a line that says so', async () => {
  const { code, stdout, stderr } = await prepare({}, 'bench');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(
    /^Installing what 'npm run bench' needs \(bench\/packages\/package-lock\.json\) \.\.\.\n/,
  );
  expect(packageOf('bench')).toBe('{}');
  expect(await prepare({}, 'bench')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(installed()).toEqual(['bench']);
  expect(readdirSync(inCopy('bench')).toSorted()).toEqual(['node_modules', 'packages']);
});

it('packages are installed again when the lock file changes', async () => {
  await prepare({}, 'bench');
  lock('{ "name": "changed" }');
  await prepare({}, 'bench');
  expect(packageOf('bench')).toBe('{ "name": "changed" }');
  expect(installed()).toEqual(['bench', 'bench']);
});

it('packages of several folders are installed, and the command is that of npm', async () => {
  const { stderr } = await prepare({ npm_lifecycle_event: 'pretest' }, 'bench', 'test/packed');
  expect(stderr).toContain("Installing what 'npm test' needs (test/packed/packages/package-lock.json)");
  expect(installed()).toEqual(['bench', 'test/packed']);
});

it('two commands that begin together both find all packages', async () => {
  lock('{ "name": "former" }');
  await prepare({}, 'bench');
  for (const content of ['{ "name": "first" }', '{ "name": "second" }']) {
    lock(content);
    const both = await Promise.all([prepare({}, 'bench'), prepare({}, 'bench')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(packageOf('bench')).toBe(content);
  }
  expect(readdirSync(inCopy('bench')).toSorted()).toEqual(['node_modules', 'packages']);
});

it('what an interrupted command has left is removed, and that of a running one stays', async () => {
  const running = `.installing-${process.pid}`;
  for (const name of ['.installing-4194305', running]) mkdirSync(inCopy('bench', name));
  await prepare({}, 'bench');
  expect(readdirSync(inCopy('bench')).toSorted()).toEqual([running, 'node_modules', 'packages']);
});

it('a failure of npm names the lock file and what to do, and leaves what was there', async () => {
  await prepare({}, 'bench');
  lock('{ "name": "changed" }');
  const { code, stdout, stderr } = await prepare({ NPM_FAILS: 'yes' }, 'bench');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /npm error network\nsagabox: bench\/packages\/package-lock\.json cannot be installed.*'npm run bench' again\.\n$/,
  );
  expect(packageOf('bench')).toBe('{}');
  expect((await prepare({}, 'bench')).code).toBe(0);
  expect(packageOf('bench')).toBe('{ "name": "changed" }');
});
