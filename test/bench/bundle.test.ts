import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BundleFigures, ColdLoadFigures } from '../../bench/benchmark-figures.ts';
import { measureColdLoad } from '../../bench/bundle/cold-load.ts';
import { measureBundle } from '../../bench/bundle/measure.ts';

const run = { depth: 'short', signal: new AbortController().signal, progress: () => {} } as const;

describe('the bundles', () => {
  let figures: BundleFigures;

  beforeAll(async () => {
    figures = await measureBundle(run);
  }, 60_000);

  it('are no larger than they were', () => {
    const { sagaboxKB, sagaboxGzipKB, powertoolsKB, powertoolsGzipKB } = figures;
    expect(sagaboxKB).toBeLessThan(116);
    expect(sagaboxGzipKB).toBeLessThan(40);
    expect(sagaboxKB / powertoolsKB).toBeLessThan(2.1);
    expect(sagaboxGzipKB / powertoolsGzipKB).toBeLessThan(2.5);
  });

  it.each(['sagabox', 'powertools'] as const)('of %s are told part by part', (name) => {
    const parts = figures[`${name}Parts`];
    const sum = parts.reduce((total, { kB }) => total + kB, 0);
    expect(sum / figures[`${name}KB`]).toBeGreaterThan(0.97);
    expect(sum).toBeLessThanOrEqual(figures[`${name}KB`]);
    expect(parts).toEqual(parts.toSorted((a, b) => b.kB - a.kB));
  });

  it("of sagabox hold the runtime, middy, and no one else's code", () => {
    const folders = [
      'core',
      'dynamodb',
      'eventbridge',
      'flow',
      'middleware',
      's3',
      'scheduler',
      'sns',
      'sqs',
    ];
    const expected = ['@middy/core', 'bench/bundle', ...folders.map((folder) => `lib/${folder}`)];
    expect(figures.sagaboxParts.map(({ part }) => part).toSorted()).toEqual(expected.toSorted());
  });

  it('of Powertools hold batch and idempotency', () => {
    const parts = figures.powertoolsParts.map(({ part }) => part);
    expect(parts).toContain('@aws-lambda-powertools/batch');
    expect(parts).toContain('@aws-lambda-powertools/idempotency');
    expect(parts).toContain('@middy/core');
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

  it('is that of bundles which load, and no worse beside Powertools than it was', async () => {
    const { sagabox, powertools, withoutSdk, sdkLoadedAtOnce, rounds }: ColdLoadFigures =
      await measureColdLoad(run);
    expect(rounds).toBe(5);
    expect(withoutSdk.middy).toBeGreaterThan(0);
    expect(withoutSdk.sagabox).toBeGreaterThan(withoutSdk.middy);
    // Recorded: 0.9 and 0.7.
    expect(sagabox / powertools).toBeLessThan(1.8);
    expect(withoutSdk.sagabox / withoutSdk.powertools).toBeLessThan(1.5);
    expect(sdkLoadedAtOnce.powertools).toEqual(['@aws-sdk/client-dynamodb', '@aws-sdk/util-dynamodb']);
    expect(sdkLoadedAtOnce.sagabox).toEqual([
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/client-sqs',
      '@aws-sdk/util-dynamodb',
    ]);
    expect(await readdir(folder)).toEqual([]);
  }, 60_000);

  it('leaves nothing behind when it is interrupted', async () => {
    const measuring = measureColdLoad({ ...run, signal: AbortSignal.abort() });
    await expect(measuring).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readdir(folder)).toEqual([]);
  });
});
