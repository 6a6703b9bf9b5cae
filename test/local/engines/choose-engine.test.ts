import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chooseEngine } from '../../../lib/local/engines/choose-engine.ts';
import { dynamoDBLocal } from '../../../lib/local/engines/dynamodb-local/program.ts';
import { dynoxide, explainDynoxide, findDynoxide } from '../../../lib/local/engines/dynoxide.ts';
import { launchEngine } from '../../../lib/local/engines/launch-engine.ts';
import type { EngineSource } from '../../../lib/local/engines/program.ts';
import { descendantsOf } from '../../support/processes.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const javaHome = process.env.JAVA_HOME;
const directoryOf = temporaryDirectory();
let tests = 0;

// The tests run in a project of a user: the root of the repository need not have DynamoDB Local.
const root = process.cwd();
beforeEach(async () => {
  tests += 1;
  process.env.JAVA_HOME = directoryOf(`test-${tests}`);
  await installProgram('node_modules/amplify-dynamodb-simulator/package.json', '{}');
  process.chdir(directoryOf(`test-${tests}`));
});
afterEach(() => {
  process.chdir(root);
  if (javaHome === undefined) delete process.env.JAVA_HOME;
  else process.env.JAVA_HOME = javaHome;
});

async function installProgram(path: string, script: string): Promise<string> {
  const file = directoryOf(`test-${tests}`, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, script);
  await chmod(file, 0o755);
  return file;
}

const installJava = (version: string) =>
  installProgram('bin/java', `#!/bin/sh\necho 'openjdk version "${version}" 2025-04-15' >&2\n`);

const program = (command: string) => ({
  label: 'the engine',
  command,
  argumentsFor: () => [],
  explain: (output: string) =>
    /not found/.test(output) ? { problem: 'it is missing', remedy: 'Install it' } : undefined,
  isBehindProxy: false,
});

describe('choosing an engine', () => {
  it('refuses a name that is none, and tells those that are', () => {
    expect(() => chooseEngine('mysql')).toThrow(
      /SAGABOX_DYNAMODB_ENGINE: 'mysql' is not .*'dynoxide', 'dynamodb-local'.*SAGABOX_DYNAMODB_ENDPOINT/,
    );
  });

  it('names each way to get an engine, with its command, where there is none', () => {
    const none = (source: EngineSource) => ({ ...source, find: () => findDynoxide('aix-ppc64') });
    expect(() => chooseEngine(undefined, [none(dynoxide), none(dynamoDBLocal)])).toThrow(
      /no engine can be started.*npm install --save-dev amplify-dynamodb-simulator.*Java 17.*SAGABOX_DYNAMODB_ENDPOINT/,
    );
  });

  it('takes dynoxide first, wherever its binary is installed', async () => {
    await installJava('17.0.15');
    const platform = `${process.platform}-${process.arch}`;
    const label = 'command' in findDynoxide(platform) ? 'dynoxide' : 'DynamoDB Local';
    expect(chooseEngine(undefined).label).toBe(label);
  });

  it('does not look for another engine when it has found one', () => {
    const never = {
      ...dynamoDBLocal,
      find: () => {
        throw new Error('looked for');
      },
    };
    const there = { ...dynoxide, find: () => program('there') };
    expect(chooseEngine(undefined, [there, never]).command).toBe('there');
  });

  it('takes the first engine that is there', async () => {
    await installJava('17.0.15');
    const missing = { ...dynoxide, find: () => findDynoxide('aix-ppc64') };
    expect(chooseEngine(undefined, [missing, dynamoDBLocal]).label).toBe('DynamoDB Local');
    expect(chooseEngine(undefined, [dynamoDBLocal, missing]).label).toBe('DynamoDB Local');
  });

  it.each(['17.0.15', '25.0.1'])('takes DynamoDB Local by name with Java %s', async (version) => {
    await installJava(version);
    expect(chooseEngine('dynamodb-local').label).toBe('DynamoDB Local');
  });

  it.each([
    ['16.0.2', /Java 16/],
    ['1.8.0_392', /Java 8/],
    [undefined, /no java program was found/],
  ])('refuses DynamoDB Local with Java %s, and tells what to do', async (version, told) => {
    if (version !== undefined) await installJava(version);
    const choose = () => chooseEngine('dynamodb-local');
    expect(choose).toThrow(told);
    expect(choose).toThrow(
      /'dynamodb-local' cannot be started.*Install Java 17.*unset SAGABOX_DYNAMODB_ENGINE/,
    );
  });

  it.each([
    ['aix-ppc64', /no binary for aix-ppc64/],
    ['darwin-arm64', /@dynoxide\/darwin-arm64 is not installed/],
  ])('finds no dynoxide for %s here', (platform, told) => {
    expect(findDynoxide(platform)).toMatchObject({ problem: expect.stringMatching(told) });
  });
});

describe('what a binary of another platform prints', () => {
  it.each(['engine: Exec format error', 'sh: 1: /x/dynoxide: not found', 'cannot execute binary file'])(
    'is explained: %s',
    (output) =>
      expect(explainDynoxide('linux-x64', output)).toMatchObject({
        problem: expect.stringContaining('@dynoxide/linux-x64 does not run'),
      }),
  );

  it('is not taken for a panic', () =>
    expect(explainDynoxide('linux-x64', 'panicked at 12')).toBeUndefined());
});

describe('launching an engine', () => {
  it('is refused on Windows, with the way out', async () => {
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      const launched = launchEngine(program('dynoxide.exe'), options);
      await expect(launched).rejects.toMatchObject({
        code: 'Configuration',
        message: expect.stringMatching(/npx dynoxide --port 8000.*SAGABOX_DYNAMODB_ENDPOINT/),
      });
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });

  const options = { port: undefined, startTimeoutMs: 100_000, signal: undefined };

  it.each<[string, string, RegExp, number?]>([
    ['that ends at once', '#!/bin/sh\necho broken >&2; exit 1\n', /the engine: the engine ended.*broken/s],
    ['that never answers', '#!/bin/sh\nexec sleep 30\n', /did not answer within 300 ms/, 300],
    [
      'whose output has a known cause',
      '#!/bin/sh\necho "not found" >&2; exit 127\n',
      /it is missing. Install it/,
    ],
  ])(
    'fails for a program %s, with the ways out and nothing left running',
    async (_what, script, told, startTimeoutMs = options.startTimeoutMs) => {
      const command = await installProgram('engine', script);
      const before = descendantsOf(process.pid);
      const launched = launchEngine(program(command), { ...options, startTimeoutMs });
      await expect(launched).rejects.toMatchObject({
        code: 'Configuration',
        message: expect.stringMatching(told),
      });
      await expect(launched).rejects.toThrow('SAGABOX_DYNAMODB_ENDPOINT');
      expect(descendantsOf(process.pid).filter((id) => !before.includes(id))).toEqual([]);
    },
  );
});
