import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repository } from '../../test/support/source-files.ts';
import type { Figures } from '../benchmark/figures.ts';
import { allBundles, bundleNames, measureBundle } from './bundle.ts';
import { coldLoadOf, loadedNames, measureColdLoad } from './cold-load.ts';

const run = { depth: 'short', signal: new AbortController().signal, progress: () => {} } as const;

/**
 * Tells the clients that are made while a bundle is loaded: their constructors are given a base that does.
 */
const clientsScript = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
const made = [];
for (const Client of [DynamoDBClient, SQSClient]) {
  Object.setPrototypeOf(Client, class extends Object.getPrototypeOf(Client) {
    constructor(...settings) {
      super(...settings);
      made.push(new.target.name);
    }
  });
}
await import(process.argv[2]);
console.log(JSON.stringify(made));
`;

describe('the bundles', () => {
  let figures: Figures['bundle'];

  beforeAll(async () => {
    figures = await measureBundle(run);
  });

  it('are smaller when gzipped, and middy is the smallest of them', () => {
    const { kB, gzipKB } = figures;
    for (const name of bundleNames) {
      expect(gzipKB[name]).toBeGreaterThan(0);
      expect(kB[name]).toBeGreaterThan(gzipKB[name]);
      expect(kB[name]).toBeGreaterThanOrEqual(kB.middy);
    }
  });

  it('of a schema library contain what is used of it', () => {
    const { sagabox, sagaboxWithValibot, sagaboxWithZod } = figures.kB;
    expect(sagaboxWithValibot).toBeGreaterThan(sagabox);
    expect(sagaboxWithZod).toBeGreaterThan(sagaboxWithValibot);
    // `import { z } from 'zod'` adds more than 400 kB.
    expect(sagaboxWithZod).toBeLessThan(sagabox + 150);
  });

  it.each(['sagabox', 'powertools'] as const)('of %s are the sum of their parts, largest first', (name) => {
    const sizes = Object.values(figures.parts[name]);
    const sum = sizes.reduce((total, kB) => total + kB, 0);
    expect(sum / figures.kB[name]).toBeGreaterThan(0.97);
    expect(sum).toBeLessThanOrEqual(figures.kB[name] + 1e-9);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  });

  it("of sagabox hold the runtime, middy, and no one else's code", () => {
    const capabilities = [
      'attempt',
      'compose',
      'dynamodb',
      'handlers',
      'kernel',
      'messages',
      'observe',
      'outbox',
    ];
    const others = ['pipeline', 'recoverability', 'saga', 'sending', 'settings'];
    const folders = [...capabilities, ...others].map((name) => `lib/${name}`);
    const expected = ['@middy/core', 'bench/bundle', ...folders];
    expect(Object.keys(figures.parts.sagabox).toSorted()).toEqual(expected.toSorted());
  });

  it('of Powertools hold batch and idempotency', () => {
    const parts = Object.keys(figures.parts.powertools);
    const packages = ['@aws-lambda-powertools/batch', '@aws-lambda-powertools/idempotency', '@middy/core'];
    expect(parts).toEqual(expect.arrayContaining(packages));
    expect(parts.filter((part) => part.startsWith('lib/'))).toEqual([]);
  });
});

describe('the cold load', () => {
  let folder: string;
  let ownTmpdir: string | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sagabox-cold-load-test-'));
    ownTmpdir = process.env.TMPDIR;
    process.env.TMPDIR = folder;
  });

  afterAll(async () => {
    if (ownTmpdir === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = ownTmpdir;
    await rm(folder, { recursive: true, force: true });
  });

  it('is that of bundles which load, each with what it takes of the SDK', async () => {
    const { sdkLoadedAtOnce, rounds, aloneMs, withSdkMs } = await coldLoadOf(2, run.signal);
    expect(rounds).toBe(2);
    for (const name of loadedNames) {
      expect(aloneMs[name]).toBeGreaterThan(0);
      expect(withSdkMs[name]).toBeGreaterThanOrEqual(aloneMs[name]);
    }
    expect(sdkLoadedAtOnce.powertools).toEqual(['@aws-sdk/client-dynamodb', '@aws-sdk/util-dynamodb']);
    expect(sdkLoadedAtOnce.sagabox).toEqual(['@aws-sdk/client-dynamodb', '@aws-sdk/client-sqs']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const measuring = measureColdLoad({ ...run, signal: AbortSignal.abort() });
    await expect(measuring).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a bundle that is loaded', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sagabox-bundle-test-'));
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
    await writeFile(join(folder, 'clients.mjs'), clientsScript);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['sagabox', ['DynamoDBClient', 'SQSClient']],
    ['powertools', ['DynamoDBClient']],
    ['middy', []],
  ] as const)('of %s has made its clients: %j', async (name, expected) => {
    const { code } = (await allBundles())[name];
    await writeFile(join(folder, `${name}.mjs`), code);
    const options = [join(folder, 'clients.mjs'), `./${name}.mjs`];
    const { stdout } = await promisify(execFile)(process.execPath, options);
    expect(JSON.parse(stdout)).toEqual(expected);
  });
});
