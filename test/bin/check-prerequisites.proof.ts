import { spawnSync } from 'node:child_process';
import { mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { copyOfScripts } from './copied-scripts.ts';

const { inCopy, installRoot, environment, installed } = copyOfScripts('test/dynamodb-local');
const javaHome = () => inCopy('java');

beforeEach(() => mkdir(join(javaHome(), 'bin'), { recursive: true }));

/** A program that answers as `java -version` of that version does. */
async function installJava(version: string): Promise<void> {
  const java = join(javaHome(), 'bin', 'java');
  await writeFile(java, `#!/bin/sh\necho 'openjdk version "${version}" 2025-04-15' >&2\n`, { mode: 0o755 });
}

async function installEmbeddedEngine(): Promise<void> {
  const folder = inCopy('node_modules', '@dynoxide', `${process.platform}-${process.arch}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
}

/** Makes the process think that its Node has this version. */
function asNode(node: string): string[] {
  const versions = JSON.stringify({ ...process.versions, node });
  const script = `Object.defineProperty(process, 'versions', { value: ${versions} });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

function check(variables: NodeJS.ProcessEnv = {}, args: string[] = [], nodeArgs: string[] = []) {
  const engine = { SAGABOX_DYNAMODB_ENGINE: 'dynamodb-local', SAGABOX_DYNAMODB_ENDPOINT: '' };
  return spawnSync(process.execPath, [...nodeArgs, inCopy('bin/check-prerequisites.js'), ...args], {
    env: { ...environment(), JAVA_HOME: javaHome(), ...engine, ...variables },
    encoding: 'utf8',
  });
}

describe('the check of the prerequisites', () => {
  it.each(['17.0.15', '21', '25.0.1'])(
    'is content with Java %s, and installs DynamoDB Local',
    async (version) => {
      await installJava(version);
      expect(check().status).toBe(0);
      expect(installed()).toEqual(['test/dynamodb-local']);
      expect(check()).toMatchObject({ status: 0, stderr: '' });
      expect(installed()).toHaveLength(1);
    },
  );

  it('puts DynamoDB Local where sagabox looks for it, again after the packages of the root are installed anew', async () => {
    await installJava('17.0.15');
    const link = inCopy('node_modules', 'amplify-dynamodb-simulator');
    for (let install = 0; install < 2; install += 1) {
      await rm(inCopy('node_modules'), { recursive: true });
      installRoot();
      expect(check().status).toBe(0);
      expect(await readlink(link)).toBe(
        inCopy('test', 'dynamodb-local', 'node_modules', 'amplify-dynamodb-simulator'),
      );
    }
  });

  it.each(['16.0.2', '11.0.20', '1.8.0_392'])(
    'tells in one line that Java %s is too old',
    async (version) => {
      await installJava(version);
      const { status, stderr } = check();
      expect([status, stderr.trim()]).toEqual([
        2,
        expect.stringMatching(/^.*needs Java 17.*SAGABOX_DYNAMODB_ENDPOINT.*$/),
      ]);
      expect(installed()).toEqual([]);
    },
  );

  it('tells that there is no Java, and how to go on', () => {
    const { status, stderr } = check();
    expect(status).toBe(2);
    expect(stderr).toMatch(/there is none: install a Java runtime.*SAGABOX_DYNAMODB_ENDPOINT/);
  });

  it('asks for Java and DynamoDB Local only where the embedded engine is not installed', async () => {
    const anyEngine = { SAGABOX_DYNAMODB_ENGINE: '' };
    expect(check(anyEngine)).toMatchObject({ status: 2, stderr: expect.stringContaining('needs Java 17') });
    await installEmbeddedEngine();
    expect(check(anyEngine)).toMatchObject({ status: 0, stderr: '' });
    expect(installed()).toEqual([]);
  });

  it('asks for dynoxide where it is chosen and not installed', async () => {
    const chosen = { SAGABOX_DYNAMODB_ENGINE: 'dynoxide' };
    await installJava('17.0.15');
    const { status, stderr } = check(chosen);
    expect(status).toBe(2);
    expect(stderr).toMatch(/dynoxide, which is not installed for \S+: run 'npm install --no-save dynoxide'/);
    await installEmbeddedEngine();
    expect(check(chosen)).toMatchObject({ status: 0, stderr: '' });
  });

  it('asks for no Java when an engine runs already', () => {
    const { status } = check({ SAGABOX_DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' });
    expect([status, installed()]).toEqual([0, []]);
  });

  it.each([
    ['all that is needed', []],
    ['Node only', ['--node-only']],
  ])('is content with Node 22.18, and not with one before, asked for %s', async (_what, args) => {
    await installJava('17.0.15');
    expect(check({}, args, asNode('22.18.0')).status).toBe(0);
    const { status, stderr } = check({}, args, asNode('22.17.1'));
    expect(status).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('Node 22.17.1 is too old, 22.18 or newer is needed');
  });

  it.each([
    ['all that is needed', []],
    ['Node only', ['--node-only', 'test/dynamodb-local']],
  ])('tells in one line that packages of the root are missing, asked for %s', async (_what, args) => {
    await installJava('17.0.15');
    const stderr = "sagabox: Packages are missing: run 'npm ci' in the root of the repository.\n";
    for (const missing of ['node_modules/.package-lock.json', 'node_modules']) {
      await rm(inCopy(missing), { recursive: true });
      expect(check({ SAGABOX_DYNAMODB_ENGINE: '' }, args)).toMatchObject({ status: 2, stderr });
    }
    expect(installed()).toEqual([]);
  });

  it('asks for no Java where only Node is needed', () => {
    expect(check({}, ['--node-only'])).toMatchObject({ status: 0, stderr: '' });
  });
});

it.each([
  ['20.20.2', 1, 'sagabox: Node 20.20.2 is too old, 22.12 or newer is needed.\n'],
  ['22.11.0', 1, 'sagabox: Node 22.11.0 is too old, 22.12 or newer is needed.\n'],
  ['22.12.0', 0, ''],
])('the command on Node %s ends with %i', (node, exitCode, told) => {
  const args = [...asNode(node), '--conditions=sagabox-source', 'bin/sagabox.js', '--version'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([exitCode, told]);
});
