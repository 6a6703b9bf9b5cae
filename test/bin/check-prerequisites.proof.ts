import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { findDynoxide } from '../../lib/local/engines/dynoxide.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const temporary = temporaryDirectory();
let javaHome: string;

beforeEach(() => {
  javaHome = temporary(randomUUID());
});

/** A program that answers as `java -version` of that version does. */
async function installJava(version: string): Promise<void> {
  const java = join(javaHome, 'bin', 'java');
  await mkdir(join(javaHome, 'bin'), { recursive: true });
  await writeFile(java, `#!/bin/sh\necho 'openjdk version "${version}" 2025-04-15' >&2\n`, { mode: 0o755 });
}

/** Makes the process think that a property of `process` has this value. */
function pretending(property: 'versions' | 'platform', value: unknown): string[] {
  const script = `Object.defineProperty(process, '${property}', { value: ${JSON.stringify(value)} });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

const asNode = (node: string) => pretending('versions', { ...process.versions, node });

function check(environment: NodeJS.ProcessEnv = {}, args: string[] = [], nodeArgs: string[] = []) {
  const { SAGABOX_DYNAMODB_ENDPOINT: _running, ...inherited } = process.env;
  const engine = { SAGABOX_DYNAMODB_ENGINE: 'dynamodb-local' };
  const env = { ...inherited, JAVA_HOME: javaHome, ...engine, ...environment };
  return spawnSync(process.execPath, [...nodeArgs, 'bin/check-prerequisites.js', ...args], {
    env,
    encoding: 'utf8',
  });
}

describe('the check of the prerequisites', () => {
  it.each(['17.0.15', '21', '25.0.1'])('is content with Java %s', async (version) => {
    await installJava(version);
    expect(check()).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(['16.0.2', '11.0.20', '1.8.0_392'])(
    'tells in one line that Java %s is too old',
    async (version) => {
      await installJava(version);
      const { status, stderr } = check();
      expect([status, stderr.trim()]).toEqual([
        1,
        expect.stringMatching(/^.*needs Java 17.*SAGABOX_DYNAMODB_ENDPOINT.*$/),
      ]);
    },
  );

  it('tells that there is no Java, and how to go on', () => {
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toMatch(/there is none: install a Java runtime.*SAGABOX_DYNAMODB_ENDPOINT/);
  });

  it('asks for no Java exactly where the embedded engine is installed', () => {
    const { status } = check({ SAGABOX_DYNAMODB_ENGINE: '' });
    const platform = `${process.platform}-${process.arch}`;
    expect(status).toBe('command' in findDynoxide(platform) ? 0 : 1);
  });

  it('asks for dynoxide where it is chosen and not installed', async () => {
    await installJava('17.0.15');
    const { status, stderr } = check(
      { SAGABOX_DYNAMODB_ENGINE: 'dynoxide' },
      [],
      pretending('platform', 'aix'),
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /dynoxide, which is not installed for aix-\w+: run 'npm install --no-save dynoxide'/,
    );
  });

  it('asks for no Java when an engine runs already', () => {
    expect(check({ SAGABOX_DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' }).status).toBe(0);
  });

  it.each([
    ['all that is needed', []],
    ['Node only', ['--node-only']],
  ])('is content with Node 22.18, and not with one before, asked for %s', async (_what, args) => {
    await installJava('17.0.15');
    expect(check({}, args, asNode('22.18.0'))).toMatchObject({ status: 0, stderr: '' });
    const { status, stderr } = check({}, args, asNode('22.17.1'));
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('Node 22.17.1 is too old, 22.18 or newer is needed');
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
