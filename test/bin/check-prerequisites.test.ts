import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findDynoxide } from '../../lib/local/engines/dynoxide.ts';

let javaHome: string;

beforeEach(async () => {
  javaHome = await mkdtemp(join(tmpdir(), 'sagabox-java-'));
});
afterEach(async () => await rm(javaHome, { recursive: true, force: true }));

/** A program that answers as `java -version` of that version does. */
async function installJava(version: string): Promise<void> {
  const java = join(javaHome, 'bin', 'java');
  await mkdir(join(javaHome, 'bin'));
  await writeFile(java, `#!/bin/sh\necho 'openjdk version "${version}" 2025-04-15' >&2\n`);
  await chmod(java, 0o755);
}

/** Makes the process think that its Node is of that version. */
function asNode(version: string): string[] {
  const versions = `{ ...process.versions, node: '${version}' }`;
  const script = `Object.defineProperty(process, 'versions', { value: ${versions} });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

function asPlatform(platform: string): string[] {
  const script = `Object.defineProperty(process, 'platform', { value: '${platform}' });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

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
      expect(status).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toMatch(/needs Java 17.*SAGABOX_DYNAMODB_ENDPOINT/);
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
    const { status, stderr } = check({ SAGABOX_DYNAMODB_ENGINE: 'dynoxide' }, [], asPlatform('aix'));
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
