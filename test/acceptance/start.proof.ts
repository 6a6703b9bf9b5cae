import { readdir } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { figuresIn, type SampleRun, startSample } from './start/sample-run.ts';

const inDirectory = temporaryDirectory();

/** Node keeps a compile cache of its own there. */
async function leftBy({ tmpdir }: SampleRun): Promise<string[]> {
  return (await readdir(tmpdir)).filter((name) => name !== 'node-compile-cache');
}

describe('I2, I3: the sample with duplicates, and crashes at every seam', () => {
  it('handles every order exactly once', async () => {
    const file = inDirectory('optimistic.json');
    const run = await startSample(
      inDirectory('optimistic'),
      '--orders',
      '5',
      '--locking',
      'optimistic',
      '--json',
      file,
    );
    const exitCode = await run.exitCode;
    expect(run.output()).toMatch(/\nOK orders exactly once: 5; .*\n$/);
    expect(exitCode).toBe(0);
    const figures = await figuresIn(file);
    expect(figures).toEqual({
      orders: 5,
      completedOrders: 5,
      messagesDelivered: expect.any(Number),
      duplicatesDelivered: expect.any(Number),
      crashesInjected: 5,
      lost: 0,
      appliedTwice: 0,
      undispatchedLeft: 0,
      rcuPerMessage: expect.any(Number),
      wcuPerMessage: expect.any(Number),
      refusedWcuPerMessage: expect.any(Number),
      engine: process.env.SAGABOX_TEST_DYNAMODB_ENGINE,
    });
    expect(figures.duplicatesDelivered).toBeGreaterThan(5);
    expect(figures.wcuPerMessage).toBeGreaterThan(1);
    expect(await leftBy(run)).toEqual([]);
  });
});

describe('Command: npm start', () => {
  it('refuses options that it does not know', async () => {
    expect(await (await startSample(inDirectory('refused'), '--nope')).exitCode).toBe(2);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const run = await startSample(inDirectory('interrupted'), '--orders', '50');
    for await (const _ of run.process.stdout ?? []) {
      if (run.output().includes('Placing')) break;
    }
    run.process.kill('SIGINT');
    expect(await run.exitCode).toBe(130);
    expect(await leftBy(run)).toEqual([]);
  });

  it('fails when the handlers have no outbox, and names what was applied twice', async () => {
    const file = inDirectory('failed.json');
    const run = await startSample(
      inDirectory('failed'),
      '--orders',
      '3',
      '--outbox',
      'false',
      '--json',
      file,
    );
    const exitCode = await run.exitCode;
    expect(run.output()).toMatch(/\nFAILED .*applied twice: .*charge of order-0000\d.*\n$/);
    expect(exitCode).toBe(1);
    expect((await figuresIn(file)).appliedTwice).toBeGreaterThan(0);
  });
});
