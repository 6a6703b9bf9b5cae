import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';
import { bundleSample } from './synthesize-sample.ts';

const repository = join(import.meta.dirname, '..', '..');
const functionNames = ['Orders', 'Billing', 'Shipping'];

/** What must never reach a function: deployment, tests and tools; nor tracing, if it is not used. */
const foreignPackages =
  /node_modules\/(aws-cdk-lib|constructs|aws-cdk|fauxqs|amplify-dynamodb-simulator|@opentelemetry)\//;
const foreignFolders = [
  ...['lib/constructs', 'lib/capacity', 'lib/local', 'lib/cli', 'lib/testing', 'lib/charts'],
  ...['lib/opentelemetry', 'lib/observe/tracing'],
];

/** What a function without contracts, producer and sessions needs nothing of. */
const unused = [
  ...['lib/compose/producer', 'lib/compose/session', 'lib/session'],
  ...['lib/messages/contracts/contract-checks.ts', 'lib/messages/contracts/define-contract.ts'],
];

/** Those of the inputs that are one of the files, or in one of the folders. */
function inputsOf(paths: readonly string[], inputs: readonly string[]): string[] {
  return inputs.filter((input) => paths.some((path) => input === path || input.startsWith(`${path}/`)));
}

it.each([...foreignFolders, ...unused])('%s is there to be looked for', (path) => {
  expect(existsSync(join(repository, path))).toBe(true);
});

interface Metafile {
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, { imports: { path: string; external?: boolean }[] }>;
}

it('a bundle without contracts, producer and sessions holds none of them', async () => {
  const contents = `
    import { createHandler, defineHandlers } from 'sagabox';
    export const handler = createHandler(defineHandlers({ messages: {}, handlers: {} }));
  `;
  const { metafile } = await build({
    stdin: { contents, resolveDir: repository },
    absWorkingDir: repository,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    conditions: ['sagabox-source'],
    external: ['@aws-sdk/*', '@middy/*'],
  });
  await stop();
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  expect(inputs).toContain('lib/compose/handler/create-handler.ts');
  expect(inputsOf(unused, inputs)).toEqual([]);
});

describe('the bundles of the sample', () => {
  let folder: string;
  let bundles: Map<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sagabox-bundle-'));
    // From elsewhere: neither the lock file nor esbuild may be looked for in the working directory.
    bundles = (await bundleSample(folder, folder)).assetOfFunction;
    // The relay and its watcher bring their own handlers.
    for (const name of [...bundles.keys()]) if (name.startsWith('Relay')) bundles.delete(name);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are those of all functions', () => {
    expect([...bundles.keys()].sort()).toEqual([...functionNames].sort());
  });

  it.each(functionNames)(
    '%s holds the runtime and the schemas, and nothing of deployment, tests or tools',
    (name) => {
      const inputs = Object.keys(metafile(name).inputs);
      expect(inputs).toContain(`lambdas/${name.toLowerCase()}.ts`);
      expect(inputs).toContain('lib/index.ts');
      expect(inputs).toContainEqual(expect.stringContaining('node_modules/valibot/'));
      expect(inputs.filter((input) => foreignPackages.test(input))).toEqual([]);
      expect(inputsOf(foreignFolders, inputs)).toEqual([]);
    },
  );

  it.each(functionNames)(
    '%s leaves to the Lambda runtime what that brings along, and nothing else',
    (name) => {
      const imports = Object.values(metafile(name).outputs).flatMap((output) => output.imports);
      const left = imports.filter(({ external }) => external).map(({ path }) => path);
      expect(left).toContain('@aws-sdk/client-dynamodb');
      expect(left.filter((path) => !/^(@aws-sdk\/|@smithy\/|node:)/.test(path))).toEqual([]);
    },
  );

  it.each(functionNames)('%s loads as an ES module with a handler', (name) => {
    symlinkSync(join(repository, 'node_modules'), join(bundleFolder(name), 'node_modules'));
    const script = 'const { handler } = await import(process.argv[1]); console.log(typeof handler);';
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, bundleFile(name)], {
      encoding: 'utf8',
      env: {
        ...process.env,
        AWS_REGION: 'eu-west-1',
        SAGABOX_ENDPOINT: name.toLowerCase(),
        SAGABOX_DESTINATIONS: '{}',
        SAGABOX_SAGA_TABLE: 'sagas',
        SAGABOX_OUTBOX_TABLE: 'outbox',
      },
    });
    expect(output).toBe('function\n');
  });

  function bundleFolder(name: string): string {
    return bundles.get(name) ?? 'missing';
  }

  function bundleFile(name: string): string {
    return join(bundleFolder(name), 'index.mjs');
  }

  function metafile(name: string): Metafile {
    return JSON.parse(readFileSync(join(bundleFolder(name), 'index.meta.json'), 'utf8'));
  }
});
