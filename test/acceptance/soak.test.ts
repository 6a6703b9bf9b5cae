import { describe, expect, it } from '@jest/globals';
import type { Engines } from '../../bench/contention/engines.ts';
import type { Evidence } from '../soak/checks/evidence.ts';
import { growthComplaints, growthOf, limits } from '../soak/checks/growth.ts';
import { complaints, judge } from '../soak/checks/judge.ts';
import type { Sample } from '../soak/fleet/worker-protocol.ts';
import { defaults, readCommand } from '../soak/options.ts';
import { runSoak } from '../soak/run.ts';
import type { modes } from '../soak/subject/modes.ts';
import { planRound } from '../soak/subject/plan.ts';
import { soakComplaints } from '../soak/summary.ts';
import { isRunning } from '../support/processes.ts';

/** The command's round has 5,000; these meet every kind of fault too, in the time of a test. */
const MESSAGES = 1500;
const options = {
  minutes: 0,
  messages: MESSAGES,
  sagas: 100,
  workers: 4,
  duplicatesPercent: 20,
  seed: 6,
  mode: 'mixed',
} as const;

function engines(): Engines {
  const { SAGABOX_TEST_DYNAMODB_ENDPOINT: dynamoDB = '', SAGABOX_TEST_SQS_ENDPOINT: sqs = '' } = process.env;
  return { dynamoDBEndpoint: dynamoDB, sqsEndpoint: sqs };
}

describe('workers whose calls fail, and that are killed', () => {
  it('apply each message once, and send all of what they commit and nothing else', async () => {
    const processIds: number[] = [];
    const figures = await runSoak(engines(), {
      ...options,
      signal: new AbortController().signal,
      onStarted: (ids) => processIds.push(...ids),
    });
    expect(soakComplaints(figures)).toEqual([]);

    const [round] = figures.rounds;
    const counts = round?.counts ?? {};
    const faults = Object.keys(counts).filter((name) => name.startsWith('fault '));
    expect(faults.filter((name) => name.startsWith('fault DynamoDB')).length).toBeGreaterThan(5);
    expect(faults.filter((name) => name.startsWith('fault SQS')).length).toBeGreaterThan(3);
    expect(counts.deaths).toBeGreaterThan(0);
    expect(counts['recovery runs']).toBeGreaterThan(0);
    expect(counts['deliveries repeated by SQS']).toBeGreaterThan(0);
    expect(counts['outcome duplicate']).toBeGreaterThan(0);
    expect(processIds).toHaveLength(options.workers);
    expect(processIds.filter(isRunning)).toEqual([]);
  }, 400_000);

  it('apply messages twice without their outbox, and the checks show it', async () => {
    const { signal } = new AbortController();
    const figures = await runSoak(engines(), { ...options, messages: 150, sagas: 10, outbox: false, signal });
    expect(figures.rounds[0]?.verdict.appliedTwice.length).toBeGreaterThan(0);
    expect(soakComplaints(figures).join()).toContain('applied twice');
  }, 200_000);

  it('are ended when the run is interrupted', async () => {
    const interrupt = new AbortController();
    const processIds: number[] = [];
    const run = runSoak(engines(), {
      ...options,
      signal: interrupt.signal,
      onStarted: (ids) => processIds.push(...ids),
      onProgress: () => interrupt.abort(),
    });
    await expect(run).rejects.toThrow('aborted');
    expect(processIds).toHaveLength(options.workers);
    expect(processIds.filter(isRunning)).toEqual([]);
  }, 100_000);
});

/** One booking with two messages, one that can never be applied, and an account that was closed. */
function evidence(): Evidence {
  return {
    bookings: [
      { id: 'm0', account: 'a', number: 0, sends: 2, isPoison: false },
      { id: 'm1', account: 'a', number: 1, sends: 1, isPoison: true },
      { id: 'm2', account: 'b', number: 2, sends: 0, isPoison: false },
    ],
    closings: [{ id: 'c', account: 'b' }],
    openAccounts: new Map([['a', [0]]]),
    marks: new Map([
      ['m0', { applied: 1, attempt: 'first' }],
      ['m2', { applied: 1, attempt: 'second' }],
      ['c', { applied: 1, attempt: 'third' }],
    ]),
    entries: [
      { id: 'm0/0', source: 'm0', ordinal: 0, attempt: 'first' },
      { id: 'm0/0', source: 'm0', ordinal: 0, attempt: 'first' },
      { id: 'm0/1', source: 'm0', ordinal: 1, attempt: 'first' },
      { id: 'c/0', source: 'c', ordinal: 0, attempt: 'third', bookings: [2] },
    ],
    undispatched: [],
    errorQueue: ['m1', 'm1'],
    deadLetterQueue: [],
  };
}

const right = evidence();
const without = (index: number) => right.entries.filter((_entry, at) => at !== index);
const withMark = (id: string, applied: number, attempt: string) =>
  new Map([...right.marks, [id, { applied, attempt }] as const]);

describe('the checks of the effects', () => {
  it('hold when every effect is there once, and messages that came twice have one id', () => {
    expect(complaints(judge(right))).toEqual([]);
  });

  it.each<[string, Partial<Evidence>, RegExp]>([
    ['a write that is lost', { marks: new Map([...right.marks].slice(1)) }, /lost: the write of m0/],
    ['a booking that is lost', { openAccounts: new Map([['a', []]]) }, /lost: the booking of m0 in a/],
    ['a saga that is lost', { openAccounts: new Map() }, /lost: the booking of m0 in a/],
    ['a message that did not arrive', { entries: without(2) }, /lost: 1 messages of m0/],
    ['an account that was not closed', { entries: without(3) }, /lost: .*1 messages of c/],
    ['a failed message that is nowhere', { errorQueue: [] }, /lost: the failed message m1/],
    ['a write that was made twice', { marks: withMark('m0', 2, 'first') }, /applied twice: the write of m0/],
    [
      'a booking that was made twice',
      { openAccounts: new Map([['a', [0, 0]]]) },
      /applied twice: the booking of m0/,
    ],
    ['an effect of a failed message', { marks: withMark('m1', 1, 'x') }, /applied twice: the write of m1/],
    ['a closing that was made twice', { marks: withMark('c', 2, 'third') }, /applied twice: the write of c/],
    ['a write without its booking', { openAccounts: new Map([['a', []]]) }, /not committed as one: m0/],
    [
      'a saga that came back',
      {
        openAccounts: new Map([
          ['a', [0]],
          ['b', [2]],
        ]),
      },
      /one: b is there after/,
    ],
    [
      'a message that came again with another id',
      { entries: [...right.entries, { id: 'new', source: 'm0', ordinal: 1, attempt: 'first' }] },
      /another id: message 1 of m0/,
    ],
    [
      'a message of a run that did not commit',
      { entries: [...right.entries, { id: 'm0/0', source: 'm0', ordinal: 0, attempt: 'lost one' }] },
      /did not commit: message 0 of m0/,
    ],
    [
      'a message of a failed message',
      { entries: [...right.entries, { id: 'm1/0', source: 'm1', ordinal: 0, attempt: 'x' }] },
      /did not commit: message 0 of m1/,
    ],
    [
      'more messages than were sent',
      { entries: [...right.entries, { id: 'm0/2', source: 'm0', ordinal: 2, attempt: 'first' }] },
      /did not commit: message 2 of m0/,
    ],
    ['a record that is not dispatched', { undispatched: ['m0'] }, /dispatched and marked: m0/],
    ['a message in the error queue', { errorQueue: ['m1', 'm0'] }, /given up for no reason: m0/],
    ['a message in the dead-letter queue', { deadLetterQueue: ['m1'] }, /given up for no reason: m1/],
  ])('find %s', (_name, wrong, complaint) => {
    expect(complaints(judge({ ...right, ...wrong })).join('\n')).toMatch(complaint);
  });

  it('name a few cases, and count the others', () => {
    const [complaint] = complaints(judge({ ...right, undispatched: ['1', '2', '3', '4', '5', '6', '7'] }));
    expect(complaint).toMatch(/: 1, 2, 3, 4, 5, and 2 more$/);
  });
});

describe('the check of memory and handles', () => {
  const sample = (heapUsedBytes: number, handles: Record<string, number> = { PipeWrap: 3 }): Sample => ({
    heapUsedBytes,
    handles,
  });
  const rounds = (...samples: Sample[]) => [[sample(1)], samples];
  const heap = 20_000_000;
  const most = heap * (1 + limits.heapShare);

  it.each([
    [most, false],
    [most + 1, true],
  ])('a heap of 20 MB that comes to %i bytes grew: %s', (last, grew) => {
    expect(growthOf(rounds(sample(heap), sample(heap), sample(last)))?.heapUsedBytes.grew).toBe(grew);
  });

  it('finds a leak of 2 % in each round', () => {
    const growing = Array.from({ length: 9 }, (_, round) => [sample(heap * 1.02 ** round)]);
    const growth = growthOf(growing);
    expect(growth && growthComplaints(growth)).toEqual([expect.stringContaining('the heap grew')]);
  });

  it('takes a single high sample for what it is', () => {
    const samples = [heap, heap, heap, heap, heap, heap, 2 * heap, heap, heap].map((bytes) => sample(bytes));
    expect(growthOf(rounds(...samples))?.heapUsedBytes.grew).toBe(false);
  });

  it.each([
    [limits.handles, []],
    [limits.handles + 1, ['handles of type Timeout grew from 0 to 3']],
  ])('%i timers more than before are complained about as %j', (timers, expected) => {
    const growth = growthOf(
      rounds(sample(heap), sample(heap), sample(heap, { PipeWrap: 3, Timeout: timers })),
    );
    expect(growth && growthComplaints(growth)).toEqual(expected);
  });

  it('tells nothing after too few samples, or in the first round', () => {
    expect(growthOf([[1, 2, 3, 4].map((bytes) => sample(bytes))])).toBeUndefined();
    expect(growthOf(rounds(sample(1), sample(2)))).toBeUndefined();
  });
});

describe('the messages of a round', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(planRound(options, 'r', 1)).toEqual(planRound(options, 'r', 1));
    expect(planRound(options, 'r', 1)).not.toEqual(planRound(options, 'r', 2));
  });

  it('come twice in the share that is asked for, in both ways', () => {
    const { bookings, deliveries } = planRound(options, 'r', 1);
    const sentTwice = bookings.filter(({ duplicate }) => duplicate === 'sentTwice').length;
    const redelivered = bookings.filter(({ duplicate }) => duplicate === 'redelivered').length;
    expect((sentTwice + redelivered) / MESSAGES).toBeCloseTo(0.2, 1);
    expect(Math.min(sentTwice, redelivered)).toBeGreaterThan(0.05 * MESSAGES);
    expect(deliveries).toHaveLength(MESSAGES + sentTwice);
    expect(planRound({ ...options, duplicatesPercent: 0 }, 'r', 1).deliveries).toHaveLength(MESSAGES);
  });

  it('are of all modes, or of one', () => {
    const types = (mode: (typeof modes)[number] | 'mixed') =>
      new Set(planRound({ ...options, mode }, 'r', 1).bookings.map(({ type }) => type));
    expect([...types('mixed')].sort()).toEqual([
      'eventualBooking',
      'optimisticBooking',
      'pessimisticBooking',
    ]);
    expect([...types('eventual')]).toEqual(['eventualBooking']);
  });
});

describe('the options of the soak', () => {
  it('have defaults', () => {
    const { duplicates: duplicatesPercent, ...others } = defaults;
    expect(readCommand([])).toEqual({ run: { ...others, duplicatesPercent, jsonFile: undefined } });
  });

  it('are read', () => {
    const args = [
      '--minutes',
      '5',
      '--messages',
      '10',
      '--sagas',
      '2',
      '--workers',
      '3',
      '--duplicates',
      '50',
    ];
    expect(readCommand([...args, '--seed', '9', '--mode', 'pessimistic', '--json', 'figures.json'])).toEqual({
      run: {
        minutes: 5,
        messages: 10,
        sagas: 2,
        workers: 3,
        duplicatesPercent: 50,
        seed: 9,
        mode: 'pessimistic',
        jsonFile: 'figures.json',
      },
    });
  });

  it.each([
    [['--messages', '2000', '--sagas', '1'], 'run'],
    [['--messages', '2001', '--sagas', '1'], 'refused'],
    [['--messages', '0'], 'refused'],
    [['--workers', '2'], 'run'],
    [['--workers', '1'], 'refused'],
    [['--duplicates', '100'], 'run'],
    [['--duplicates', '101'], 'refused'],
    [['--minutes', '1.5'], 'refused'],
    [['--mode', 'none'], 'refused'],
    [['--json', ''], 'refused'],
    [['--unknown'], 'refused'],
    [['--help'], 'help'],
  ])('%j is a command of kind %s', (args, kind) => {
    expect(Object.keys(readCommand(args))).toEqual([kind]);
  });
});
