import { paginateListTables } from '@aws-sdk/client-dynamodb';
import { paginateListQueues } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import type { Mutation } from '../simulation/mutation.ts';
import { missingCoverage } from '../soak/checks/coverage.ts';
import { defaults } from '../soak/options.ts';
import { runSoak, type SoakFigures, type SoakRun } from '../soak/run.ts';
import { soakComplaints, summaryTable, timelines } from '../soak/summary.ts';
import { dynamoDBClient, enginesOfTests, sqsClient } from '../support/engines.ts';
import { isRunning } from '../support/processes.ts';
import { Tally } from '../support/tally.ts';

/** The short form of a round: the command has 5,000 messages for 100 sagas. */
const options = { ...defaults, seed: 6, messages: 300, sagas: 30 };
/** So many small rounds do not all miss a fault that shows in most of them; the last one counts as none. */
const MAX_ROUNDS = 7;
/** Nothing fails in small rounds, and what is not acknowledged comes back soon: little is waited for. */
const small = {
  rates: { request: 0, call: 0, death: 0, handler: 0 },
  visibilityTimeoutSeconds: 2,
};
/** The command has 20 s. Requests that meet one take the 5 s of their clients' time limit all the same. */
const blackHoleTimes = { durationMs: 2000, betweenMs: [1000, 4000] } as const;

/** What did not hold, with all that tells why. */
function problemsOf(figures: SoakFigures): string[] {
  const problems = soakComplaints(figures);
  return problems.length === 0
    ? []
    : [...problems, ...timelines(figures).split('\n'), ...summaryTable(figures).split('\n')];
}

/** Whether real processes meet each other, or a fault, is chance in every round. */
async function roundsUntil(isFound: (seed: number) => Promise<boolean>): Promise<number> {
  let rounds = 1;
  while (rounds < MAX_ROUNDS && !(await isFound(options.seed + rounds))) rounds += 1;
  return rounds;
}

async function resourcesThere(): Promise<string[]> {
  const names: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client: dynamoDBClient() }, {})) {
    names.push(...TableNames.filter((name) => name.startsWith('soak-')));
  }
  const prefix = { QueueNamePrefix: 'soak-' };
  for await (const { QueueUrls = [] } of paginateListQueues({ client: sqsClient() }, prefix)) {
    names.push(...QueueUrls);
  }
  return names;
}

afterAll(() => stop());

describe('I1, I2, I3, I5, I7: workers whose calls fail or get no answer, and that are killed', () => {
  it('apply each message once, and send all of what they commit and nothing else', async () => {
    const met = new Tally();
    const hasMetAll = async (seed: number) => {
      const processIds: number[] = [];
      const figures = await runSoak(enginesOfTests(), {
        ...options,
        seed,
        blackHoleTimes,
        signal: new AbortController().signal,
        onStarted: (ids) => processIds.push(...ids),
      });
      expect(problemsOf(figures)).toEqual([]);
      expect(summaryTable(figures)).toContain('Growth of memory and handles was not judged');
      expect(processIds).toHaveLength(options.workers);
      expect(processIds.filter(isRunning)).toEqual([]);
      for (const { counts } of figures.rounds) met.addAll(counts);
      return missingCoverage(met.counts).length === 0;
    };
    await roundsUntil(hasMetAll);
    expect(missingCoverage(met.counts)).toEqual([]);
  }, 400_000);
});

describe('Command: npm run soak', () => {
  it('finds workers that are cut off, when the time of one invocation in five is over at once', async () => {
    const mutation = {
      name: 'the time of one invocation in five is over at once',
      file: 'test/soak/fleet/invocation.ts',
      piece: 'while (usedMs < timeLimitMs)',
      becomes: 'while (usedMs < timeLimitMs && (usedMs > 0 || Math.random() > 0.2))',
      breaks: [],
    };
    const { signal } = new AbortController();
    const isFound = async (seed: number) => {
      const size = { messages: 60, sagas: 5, workers: 3 };
      const figures = await runSoak(enginesOfTests(), {
        ...options,
        ...small,
        ...size,
        seed,
        mutation,
        signal,
      });
      return soakComplaints(figures).join().includes('cut off at the time limit');
    };
    expect(await roundsUntil(isFound)).toBeLessThan(MAX_ROUNDS);
  }, 300_000);

  it('finds workers without an outbox that apply messages twice', async () => {
    const { signal } = new AbortController();
    const figures = await runSoak(enginesOfTests(), {
      ...options,
      ...small,
      messages: 60,
      sagas: 5,
      workers: 2,
      outbox: false,
      signal,
    });
    expect(figures.rounds[0]?.verdict.appliedTwice.length).toBeGreaterThan(0);
    expect(soakComplaints(figures).join()).toContain('applied twice');
  }, 200_000);

  it.each<Mutation & { run: Partial<SoakRun> }>([
    {
      name: 'a second record of a message or request is taken',
      file: 'lib/outbox/commit/planned-write.dynamodb.ts',
      piece: 'Item, ...isNew }',
      becomes: 'Item }',
      breaks: ['I2'],
      run: { messages: 200, sagas: 10, duplicatesPercent: 100 },
    },
  ])(
    'finds workers that apply messages twice and answer requests differently, when $name',
    async ({ run, ...mutation }) => {
      const { signal } = new AbortController();
      const isFound = async (seed: number) => {
        const figures = await runSoak(enginesOfTests(), {
          ...options,
          ...small,
          ...run,
          workers: 3,
          seed,
          mutation,
          signal,
        });
        const { appliedTwice = [], answeredDifferently = [] } = figures.rounds[0]?.verdict ?? {};
        return appliedTwice.length > 0 && answeredDifferently.length > 0;
      };
      expect(await roundsUntil(isFound)).toBeLessThan(MAX_ROUNDS);
    },
    300_000,
  );

  it('finds workers that leak what each message leaves behind', async () => {
    const figures = await runSoak(enginesOfTests(), {
      ...options,
      ...small,
      messages: 60,
      sagas: 5,
      // The one that is watched: it is sampled after each of its batches.
      workers: 1,
      duplicatesPercent: 0,
      mode: 'optimistic',
      // Over at once: as many rounds as growth takes to be judged.
      minutes: 0.001,
      leak: true,
      signal: new AbortController().signal,
    });
    expect(figures.rounds.length).toBeGreaterThan(1);
    const found = soakComplaints(figures).join();
    for (const kind of ['heapUsed', 'external', 'arrayBuffers', 'type Timeout', 'type open files']) {
      expect(found).toContain(`${kind} grew`);
    }
  }, 200_000);

  it('ends its workers when it is interrupted', async () => {
    const interrupt = new AbortController();
    const processIds: number[] = [];
    let there: Promise<string[]> | undefined;
    const run = runSoak(enginesOfTests(), {
      ...options,
      messages: 200,
      signal: interrupt.signal,
      onStarted: (ids) => processIds.push(...ids),
      onProgress: () => {
        there ??= resourcesThere().finally(() => interrupt.abort());
      },
    });
    await expect(run).rejects.toThrow('aborted');
    expect(processIds).toHaveLength(options.workers);
    expect(processIds.filter(isRunning)).toEqual([]);
    expect(await there).toHaveLength(6);
    expect(await resourcesThere()).toEqual([]);
  });

  it('leaves no queue when its workers cannot be built', async () => {
    const mutation = { name: 'none', file: 'lib/index.ts', piece: 'not there', becomes: '', breaks: [] };
    const { signal } = new AbortController();
    await expect(runSoak(enginesOfTests(), { ...options, mutation, signal })).rejects.toThrow('not once');
    expect(await resourcesThere()).toEqual([]);
  });
});
