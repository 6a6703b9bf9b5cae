import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');
const inDirectory = temporaryDirectory();

interface Run {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
  /** Where the run puts its temporary files: the engine's working directory goes when the engine is gone. */
  readonly tmpdir: string;
}

async function start(name: string, ...args: string[]): Promise<Run> {
  const tmpdir = inDirectory(name);
  await mkdir(tmpdir);
  const { SAGABOX_DYNAMODB_ENDPOINT: _own, ...env } = process.env;
  const child = spawn(process.execPath, ['--conditions=sagabox-source', 'bin/start.ts', ...args], {
    cwd: projectDirectory,
    env: { ...env, TMPDIR: tmpdir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.resume();
  const exitCode = once(child, 'close').then(([code]) => code as number | null);
  return { process: child, output: () => output, exitCode, tmpdir };
}

async function figuresIn(file: string): Promise<Record<string, number>> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/** Node keeps a compile cache of its own there. */
async function leftBy({ tmpdir }: Run): Promise<string[]> {
  return (await readdir(tmpdir)).filter((name) => name !== 'node-compile-cache');
}

describe('npm start', () => {
  it('handles every order exactly once, in optimistic mode, in spite of duplicates and crashes at every seam', async () => {
    const file = inDirectory('optimistic.json');
    const run = await start('optimistic', '--orders', '5', '--locking', 'optimistic', '--json', file);
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
  }, 120_000);

  it('fails when the handlers have no outbox, and names what was applied twice', async () => {
    const file = inDirectory('failed.json');
    const run = await start('failed', '--orders', '3', '--outbox', 'false', '--json', file);
    const exitCode = await run.exitCode;
    expect(run.output()).toMatch(/\nFAILED .*applied twice: .*charge of order-0000\d.*\n$/);
    expect(exitCode).toBe(1);
    expect((await figuresIn(file)).appliedTwice).toBeGreaterThan(0);
  }, 120_000);

  it('refuses options that it does not know', async () => {
    expect(await (await start('refused', '--nope')).exitCode).toBe(2);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const run = await start('interrupted', '--orders', '50');
    for await (const _ of run.process.stdout ?? []) {
      if (run.output().includes('Placing')) break;
    }
    run.process.kill('SIGINT');
    expect(await run.exitCode).toBe(130);
    expect(await leftBy(run)).toEqual([]);
  }, 120_000);
});
