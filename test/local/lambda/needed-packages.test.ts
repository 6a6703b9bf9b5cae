import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from '@jest/globals';
import { assertNeededPackages } from '../../../lib/local/lambda/needed-packages.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const folder = temporaryDirectory();

async function functionWith(
  code: string,
  environment: Record<string, string>,
  name: string,
  file = 'index.mjs',
) {
  await mkdir(dirname(folder(name, file)), { recursive: true });
  await writeFile(folder(name, file), code);
  const others = { handler: 'index.handler', timeoutMs: 1_000, memoryMegabytes: 128 };
  return { name, assetDirectory: folder(name), environment, ...others };
}

const withAll = ['scheduler', 's3', 'sns', 'eventbridge']
  .map((name) => `const ${name} = () => import("@aws-sdk/client-${name}");`)
  .join('\n');
const none = () => false;

it('names each package that is not installed, the endpoints that need it, and one command', async () => {
  const functions = [
    await functionWith(
      withAll,
      { SAGABOX_ENDPOINT: 'orders', SAGABOX_SCHEDULER: '{}', SAGABOX_CLAIM_CHECK: '{}' },
      'one',
    ),
    await functionWith(
      withAll,
      {
        SAGABOX_ENDPOINT: 'billing',
        SAGABOX_SCHEDULER: '{}',
        SAGABOX_DESTINATIONS: '{"orders":"https://q","alerts":"arn:aws:sns:us-east-1:123456789012:alerts"}',
      },
      'two',
    ),
    await functionWith(
      'await import("@aws-sdk/client-eventbridge")',
      { SAGABOX_DESTINATIONS: '{"shop":"arn:aws-cn:events:cn-north-1:123456789012:event-bus/shop"}' },
      'relay',
      'lib/send.cjs',
    ),
  ];
  expect(() => assertNeededPackages(functions, none)).toThrow(
    expect.objectContaining({
      code: 'Configuration',
      message:
        'the functions of the app: they need optional peer dependencies that are not installed: ' +
        "@aws-sdk/client-scheduler for the schedules of 'orders', 'billing'; " +
        "@aws-sdk/client-s3 for the claim check of 'orders'; " +
        "@aws-sdk/client-sns for the topics of 'billing'; " +
        "@aws-sdk/client-eventbridge for the event buses of 'relay'. " +
        "Run 'npm install @aws-sdk/client-scheduler @aws-sdk/client-s3 @aws-sdk/client-sns " +
        "@aws-sdk/client-eventbridge'.",
    }),
  );
  const installed = (name: string) => name !== '@aws-sdk/client-s3';
  expect(() => assertNeededPackages(functions, installed)).toThrow("Run 'npm install @aws-sdk/client-s3'.");
  expect(() => assertNeededPackages(functions)).not.toThrow();
});

it.each([
  ['stream', '{"strategy":"stream","watched":[{"table":"outbox","mapping":"m"}]}', true],
  ['scan', '{"strategy":"scan"}', false],
])('asks for the client of Lambda for a relay with the strategy %s: %s', async (name, setting, isAsked) => {
  const code = 'await import("@aws-sdk/client-lambda")';
  const relay = await functionWith(code, { SAGABOX_RELAY: setting }, name);
  const missing = `@aws-sdk/client-lambda for the mappings that the relay looks after of '${name}'`;
  const check = () => assertNeededPackages([relay], none);
  if (isAsked) expect(check).toThrow(missing);
  else expect(check).not.toThrow();
});

it.each([
  ['that has none of their settings', withAll, { SAGABOX_DESTINATIONS: '{"orders":"https://q"}' }],
  ['that holds the SDK itself', 'const name = "@aws-sdk/client-scheduler";', { SAGABOX_SCHEDULER: '{}' }],
])('asks nothing for a function %s', async (_which, code, environment) => {
  const one = await functionWith(code, environment, 'other');
  expect(() => assertNeededPackages([one], none)).not.toThrow();
  expect(() => assertNeededPackages([{ ...one, assetDirectory: folder('nowhere') }], none)).not.toThrow();
});

it('asks nothing for a function with the package in its own folder, or whose asset is a file', async () => {
  const own = await functionWith(withAll, { SAGABOX_SCHEDULER: '{}' }, 'installed');
  expect(() => assertNeededPackages([own], none)).toThrow("of 'installed'");
  const client = 'node_modules/@aws-sdk/client-scheduler/index.js';
  await functionWith('import("@aws-sdk/client-s3")', {}, 'installed', client);
  expect(() => assertNeededPackages([own], none)).not.toThrow();
  const withS3 = { ...own, environment: { SAGABOX_CLAIM_CHECK: '{}' } };
  await writeFile(folder('installed', 'index.mjs'), '');
  expect(() => assertNeededPackages([withS3], none)).not.toThrow();
  const zip = { ...own, assetDirectory: folder('installed', 'index.mjs') };
  expect(() => assertNeededPackages([zip], none)).not.toThrow();
});

it.each([
  'const sdk = require("@aws-sdk/client-scheduler");',
  "import { SchedulerClient } from '@aws-sdk/client-scheduler';",
  'import{SchedulerClient as a}from"@aws-sdk/client-scheduler";',
])('finds %s', async (code) => {
  const one = await functionWith(code, { SAGABOX_SCHEDULER: '{}' }, 'loads');
  expect(() => assertNeededPackages([one], none)).toThrow("of 'loads'");
});
