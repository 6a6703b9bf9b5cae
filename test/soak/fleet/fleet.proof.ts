import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { isRunning } from '../../support/processes.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type WorkerBundle, withWorkerBundle } from './bundle-worker.ts';
import { Fleet } from './fleet.ts';
import { stubSetup, withStubWorker } from './stub-worker.ts';

afterAll(() => stop());

interface Workers {
  readonly signal?: AbortSignal;
  readonly answerTimeoutMs?: number;
}

/** Two workers; none of them is left. */
async function withFleet(
  bundle: WorkerBundle,
  { signal = new AbortController().signal, ...limits }: Workers,
  work: (fleet: Fleet) => Promise<void>,
): Promise<void> {
  const fleet = new Fleet({ bundle, setup: stubSetup, workers: 2, seed: 1, signal, ...limits });
  const { processIds } = fleet;
  expect(processIds).toHaveLength(2);
  try {
    await work(fleet);
  } finally {
    await fleet.stop();
  }
  expect(processIds.filter(isRunning)).toEqual([]);
}

const ready = "process.send({ kind: 'ready' });";
const silent = 'process.on("message", () => {});';
const failing = `process.on('message', ({ kind }) => process.send({ kind: 'failed', request: kind, error: 'out of order' }));`;
const ending = 'process.on("message", () => { console.error("worn out"); process.exit(3); });';

describe('workers that do not answer', () => {
  it('are complained about when they cannot tell what they hold', async () => {
    const withoutCollection = {
      name: 'a worker whose garbage cannot be collected',
      file: 'test/soak/fleet/sample.ts',
      piece: 'globalThis.gc === undefined',
      becomes: 'globalThis.gc !== undefined',
      breaks: [],
    };
    await withWorkerBundle(withoutCollection, (bundle) =>
      withFleet(bundle, {}, async (fleet) => {
        await fleet.ready();
        const failure = 'a worker could not pause: Error: The memory is only measured with --expose-gc';
        await expect(fleet.sample()).rejects.toThrow(`did not tell what it holds: ${failure}`);
        await expect(fleet.pause()).rejects.toThrow(failure);
        expect(fleet.failures).toEqual([failure, failure, failure]);
      }),
    );
  });

  it.each(['work', 'relay'])('are complained about when they cannot %s', async (request) => {
    await withStubWorker(ready + failing, (bundle) =>
      withFleet(bundle, {}, async (fleet) => {
        await fleet.ready();
        if (request === 'work') fleet.deploy();
        else fleet.relayOnce();
        await waitUntil(() => fleet.failures.length > 0);
        expect(fleet.failures[0]).toBe(`a worker could not ${request}: out of order`);
      }),
    );
  });

  const taking = `process.on('message', () => process.send({ kind: 'watched', succeeded: true }));`;
  it.each([
    ['take it', taking, true],
    ['fail', failing, false],
    ['end', ending, false],
  ])(
    'leave a batch of the stream to others unless they take it: workers that %s',
    async (_how, on, taken) => {
      await withStubWorker(ready + on, (bundle) =>
        withFleet(bundle, {}, async (fleet) => {
          await fleet.ready();
          expect(await fleet.watch([])).toBe(taken);
        }),
      );
    },
  );

  it('are complained about when they end, and not replaced', async () => {
    await withStubWorker(ready + ending, (bundle) =>
      withFleet(bundle, {}, async (fleet) => {
        await fleet.ready();
        const failure = 'a worker ended though nobody killed it: worn out';
        await expect(fleet.pause()).rejects.toThrow(failure);
        await waitUntil(() => fleet.failures.length === 2);
        expect(fleet.failures).toEqual([failure, failure]);
        expect(fleet.processIds).toHaveLength(1);
      }),
    );
  });

  it('are not waited for when they ended before they were ready', async () => {
    await withStubWorker('throw new Error("no start");', (bundle) =>
      withFleet(bundle, {}, async (fleet) => {
        await expect(fleet.ready()).rejects.toThrow(/nobody killed it: .*no start/s);
      }),
    );
  });

  it.each(['ready', 'sample', 'pause'] as const)('end %s when the run is interrupted', async (wait) => {
    const interrupt = new AbortController();
    await withStubWorker(silent, (bundle) =>
      withFleet(bundle, interrupt, async (fleet) => {
        const waiting = expect(fleet[wait]()).rejects.toThrow('aborted');
        interrupt.abort();
        await waiting;
      }),
    );
  });

  it.each([
    ['ready', 'start'],
    ['sample', 'pause'],
    ['pause', 'pause'],
  ] as const)('end %s when it takes too long', async (wait, request) => {
    await withStubWorker(silent, (bundle) =>
      withFleet(bundle, { answerTimeoutMs: 50 }, async (fleet) => {
        await expect(fleet[wait]()).rejects.toThrow(
          new RegExp(`^worker \\d+ did not ${request} within 50 ms$`),
        );
      }),
    );
  });

  it('are not waited for when there are no processes', async () => {
    const script = `
      process.execPath = '/nowhere';
      const { Fleet } = await import('./fleet.ts');
      const { stubSetup: setup } = await import('./stub-worker.ts');
      const bundle = { folder: '/nowhere', file: '/nowhere' };
      const fleet = new Fleet({ bundle, setup, workers: 2, seed: 1, signal: new AbortController().signal });
      await fleet.ready().catch(({ message }) => console.log(message));
      await fleet.stop();
      console.log('stopped');`;
    const args = ['--conditions=sagabox-source', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: join(import.meta.dirname),
    });
    expect(stdout).toMatch(/nobody killed it: Error: spawn \/nowhere ENOENT.*stopped/s);
  });
});

describe('a worker that is cut off at a time limit', () => {
  const cutOff = `process.on('message', () =>
    process.send({ kind: 'cutOff', evidence: 'a batch' }, () => process.kill(process.pid, 'SIGKILL')));`;

  it.each(['the watched one', 'another one'])('is replaced and told of, %s too', async (which) => {
    await withStubWorker(ready + cutOff, (bundle) =>
      withFleet(bundle, {}, async (fleet) => {
        await fleet.ready();
        const [watched, other] = fleet.processIds;
        const gone = which === 'the watched one' ? watched : other;
        while (fleet.processIds.includes(gone ?? 0)) {
          fleet.relayOnce();
          await delay(20);
        }
        expect(fleet.processIds).toHaveLength(2);
        expect(fleet.takeInvocations().cutOff).toContain('a batch');
        expect(fleet.takeInvocations().cutOff).toEqual([]);
        expect(fleet.tally.of('deaths')).toBe(0);
        expect(fleet.failures).toEqual([]);
      }),
    );
  });
});

describe('a worker that is killed', () => {
  it('is replaced, and nobody is blamed', async () => {
    await withStubWorker(ready + silent, (bundle) =>
      withFleet(bundle, {}, async (fleet) => {
        await fleet.ready();
        const before = fleet.processIds;
        fleet.killOne();
        await waitUntil(() => fleet.tally.of('deaths') === 1);
        expect(fleet.processIds).toHaveLength(2);
        expect(fleet.processIds.filter((id) => before.includes(id))).toEqual([before[0]]);
        expect(fleet.failures).toEqual([]);
      }),
    );
  });
});
