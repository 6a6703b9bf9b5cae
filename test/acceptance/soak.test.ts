import { describe, expect, it } from '@jest/globals';
import type { Engines } from '../../bench/engines/engines.ts';
import type { Mutation } from '../simulation/mutations.ts';
import type { ArrivedEntry, Evidence } from '../soak/checks/evidence.ts';
import { growthComplaints, growthOf, limits } from '../soak/checks/growth.ts';
import { complaints, judge } from '../soak/checks/judge.ts';
import type { Sample } from '../soak/fleet/worker-protocol.ts';
import { defaults, readCommand } from '../soak/options.ts';
import { faultRates, runSoak, type SoakRun } from '../soak/run.ts';
import type { modes } from '../soak/subject/modes.ts';
import { noticeTypes } from '../soak/subject/notices.ts';
import { planRound } from '../soak/subject/plan.ts';
import { soakComplaints, summaryTable } from '../soak/summary.ts';
import { isRunning } from '../support/processes.ts';

/** As many as a round of the command has. */
const MESSAGES = 5000;
const options = {
  minutes: 0,
  messages: MESSAGES,
  sagas: 100,
  workers: 4,
  duplicatesPercent: 20,
  seed: 6,
  mode: 'mixed',
} as const;
/** So many small rounds do not all miss a fault that shows in most of them; the last one counts as none. */
const MOST_ROUNDS = 7;
/** For small rounds: a killed worker's messages come back after seconds only. */
const withoutDeaths = { ...faultRates, death: 0 };

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
    expect(summaryTable(figures)).toContain('Growth of memory and handles was not measured');

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
    const figures = await runSoak(engines(), {
      ...options,
      messages: 150,
      sagas: 10,
      rates: withoutDeaths,
      outbox: false,
      signal,
    });
    expect(figures.rounds[0]?.verdict.appliedTwice.length).toBeGreaterThan(0);
    expect(soakComplaints(figures).join()).toContain('applied twice');
  }, 200_000);

  it.each<Mutation & { run: Partial<SoakRun> }>([
    {
      name: 'a second record of a message is taken',
      file: 'lib/dynamodb/planned-write.ts',
      piece: "'attribute_not_exists(#partitionKey)'",
      becomes: "'attribute_not_exists(#partitionKey) OR attribute_exists(#partitionKey)'",
      breaks: ['I2'],
      run: { messages: 250, sagas: 10, duplicatesPercent: 100 },
    },
    {
      name: 'a saga that was started anew is taken for the one before',
      file: 'lib/dynamodb/saga-conditions.ts',
      piece: "'#version = :version AND #commitId = :commitId'",
      becomes: "'#version = :version AND (#commitId = :commitId OR attribute_exists(#commitId))'",
      breaks: ['I4'],
      run: { messages: 100, sagas: 90, mode: 'optimistic' },
    },
  ])(
    'apply messages twice when $name, and the checks show it',
    async ({ run, ...mutation }) => {
      const rates = withoutDeaths;
      const { signal } = new AbortController();
      const isFound = async (seed: number) => {
        const figures = await runSoak(engines(), { ...options, ...run, seed, rates, mutation, signal });
        return (figures.rounds[0]?.verdict.appliedTwice.length ?? 0) > 0;
      };
      // The workers are real processes: when two of them meet is chance, in every round anew.
      let rounds = 1;
      while (rounds < MOST_ROUNDS && !(await isFound(rounds))) rounds += 1;
      expect(rounds).toBeLessThan(MOST_ROUNDS);
    },
    300_000,
  );

  it('are found to leak what each message leaves behind', async () => {
    const figures = await runSoak(engines(), {
      ...options,
      messages: 150,
      sagas: 10,
      workers: 2,
      duplicatesPercent: 0,
      mode: 'optimistic',
      // Over at once: as many rounds as growth takes to be judged.
      minutes: 0.001,
      rates: { request: 0, call: 0, death: 0 },
      leak: true,
      signal: new AbortController().signal,
    });
    expect(figures.rounds.length).toBeGreaterThan(1);
    const found = soakComplaints(figures).join();
    expect(found).toContain('heapUsed grew');
    expect(found).toContain('arrayBuffers grew');
  }, 200_000);

  it('are ended when the run is interrupted', async () => {
    const interrupt = new AbortController();
    const processIds: number[] = [];
    const run = runSoak(engines(), {
      ...options,
      messages: 200,
      signal: interrupt.signal,
      onStarted: (ids) => processIds.push(...ids),
      onProgress: () => interrupt.abort(),
    });
    await expect(run).rejects.toThrow('aborted');
    expect(processIds).toHaveLength(options.workers);
    expect(processIds.filter(isRunning)).toEqual([]);
  }, 100_000);
});

/** Bookings, one of which can never be applied; an account that was closed, one that was started anew, and what has no account. */
function evidence(): Evidence {
  return {
    bookings: [
      { id: 'm0', account: 'a', number: 0, sends: 2, isPoison: false },
      { id: 'm1', account: 'a', number: 1, sends: 1, isPoison: true },
      { id: 'm2', account: 'b', number: 2, sends: 0, isPoison: false },
      { id: 'm3', account: 'e', number: 3, sends: 0, isPoison: false },
      { id: 'm4', account: 'e', number: 4, sends: 0, isPoison: false },
    ],
    closings: [
      { id: 'c', account: 'b', startsAnew: false },
      { id: 'd', account: 'e', startsAnew: true },
      { id: 'none', account: 'e', startsAnew: true },
    ],
    senders: [
      { id: 'marked', sends: 1, isMarked: true },
      { id: 'sent', sends: 1, isMarked: false },
    ],
    openAccounts: new Map([
      ['a', [0]],
      ['e', [4]],
    ]),
    marks: new Map([
      ['m0', { applied: 1, attempt: 'first' }],
      ['m2', { applied: 1, attempt: 'second' }],
      ['c', { applied: 1, attempt: 'third' }],
      ['m3', { applied: 1, attempt: 'fourth' }],
      ['m4', { applied: 1, attempt: 'fifth' }],
      ['d', { applied: 1, attempt: 'sixth' }],
      ['marked', { applied: 1, attempt: 'seventh' }],
    ]),
    entries: [
      { id: 'm0/0', source: 'm0', ordinal: 0, attempt: 'first' },
      { id: 'm0/0', source: 'm0', ordinal: 0, attempt: 'first' },
      { id: 'm0/1', source: 'm0', ordinal: 1, attempt: 'first' },
      { id: 'c/0', source: 'c', ordinal: 0, attempt: 'third', bookings: [2] },
      { id: 'd/0', source: 'd', ordinal: 0, attempt: 'sixth', bookings: [3] },
      { id: 'marked/0', source: 'marked', ordinal: 0, attempt: 'seventh' },
      { id: 'sent/0', source: 'sent', ordinal: 0, attempt: 'any' },
      { id: 'sent/0', source: 'sent', ordinal: 0, attempt: 'any' },
    ],
    undispatched: [],
    errorQueue: ['m1', 'm1'],
    deadLetterQueue: [],
  };
}

const right = evidence();
const without = (id: string) => right.entries.filter((entry) => entry.id !== id);
const withAccount = (account: string, bookings: number[]) =>
  new Map([...right.openAccounts, [account, bookings]]);
const withEntry = (entry: ArrivedEntry) => ({ entries: [...right.entries, entry] });
const withoutMark = (id: string) => new Map([...right.marks].filter(([marked]) => marked !== id));
const withMark = (id: string, applied: number, attempt: string) =>
  new Map([...right.marks, [id, { applied, attempt }] as const]);

describe('the checks of the effects', () => {
  it('hold when every effect is there once, and messages that came twice have one id', () => {
    expect(complaints(judge(right))).toEqual([]);
  });

  it.each<[string, Partial<Evidence>, RegExp]>([
    ['a write that is lost', { marks: new Map([...right.marks].slice(1)) }, /lost: the write of m0/],
    ['a booking that is lost', { openAccounts: withAccount('a', []) }, /lost: the booking of m0 in a/],
    ['a saga that is lost', { openAccounts: new Map() }, /lost: the booking of m0 in a/],
    ['a message that did not arrive', { entries: without('m0/1') }, /lost: 1 messages of m0/],
    ['an account that was not closed', { entries: without('c/0') }, /lost: .*1 messages of c/],
    ['a failed message that is nowhere', { errorQueue: [] }, /lost: the failed message m1/],
    ['a write that was made twice', { marks: withMark('m0', 2, 'first') }, /applied twice: the write of m0/],
    [
      'a booking that was made twice',
      { openAccounts: withAccount('a', [0, 0]) },
      /applied twice: the booking of m0/,
    ],
    ['an effect of a failed message', { marks: withMark('m1', 1, 'x') }, /applied twice: the write of m1/],
    ['a closing that was made twice', { marks: withMark('c', 2, 'third') }, /applied twice: the write of c/],
    ['a write without its booking', { openAccounts: withAccount('a', []) }, /not committed as one: m0/],
    ['a saga that came back', { openAccounts: withAccount('b', []) }, /one: b is there after/],
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
    [
      'a life of a saga that went on in the next one',
      { openAccounts: withAccount('e', [3, 4]) },
      /applied twice: the booking of m3 in e/,
    ],
    [
      'a life of a saga that was lost',
      { openAccounts: withAccount('e', []) },
      /lost: the booking of m4 in e/,
    ],
    ['an end of a life that nobody was told of', { entries: without('d/0') }, /lost: .*1 messages of d/],
    [
      'an end of a life that did not commit',
      withEntry({ id: 'none/0', source: 'none', ordinal: 0, attempt: 'x', bookings: [] }),
      /did not commit: message 0 of none/,
    ],
    ['a write without a saga that is lost', { marks: withoutMark('marked') }, /lost: the write of marked/],
    [
      'a write without a saga that was made twice',
      { marks: withMark('marked', 2, 'seventh') },
      /applied twice: the write of marked/,
    ],
    [
      'a message of a run without a saga that did not commit',
      withEntry({ id: 'marked/0', source: 'marked', ordinal: 0, attempt: 'lost one' }),
      /did not commit: message 0 of marked/,
    ],
    [
      'two runs that committed the same',
      withEntry({ id: 'sent/0', source: 'sent', ordinal: 0, attempt: 'another' }),
      /applied twice: sent, as 2 of its runs sent/,
    ],
    ['a message of a message that only sends', { entries: without('sent/0') }, /lost: 1 messages of sent/],
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
  const sample = (heapUsed: number, handles: Record<string, number> = { PipeWrap: 3 }): Sample => ({
    bytes: { heapUsed, external: 3_000_000, arrayBuffers: 1_000_000 },
    handles,
  });
  const rounds = (...samples: Sample[]) => [[sample(1)], samples];
  const heap = 20_000_000;
  const most = heap * (1 + limits.heapShare);

  it.each([
    [most, false],
    [most + 1, true],
  ])('a heap of 20 MB that comes to %i bytes grew: %s', (last, grew) => {
    expect(growthOf(rounds(sample(heap), sample(heap), sample(last)))?.bytes.heapUsed.grew).toBe(grew);
  });

  it.each([
    ['external', limits.bufferBytes, []],
    ['external', limits.bufferBytes + 1, ['external grew from 3000000 to 4000001 bytes']],
    ['arrayBuffers', limits.bufferBytes, []],
    ['arrayBuffers', limits.bufferBytes + 1, ['arrayBuffers grew from 1000000 to 2000001 bytes']],
  ] as const)(
    '%s memory of %i bytes more than before is complained about as %j',
    (memory, more, expected) => {
      const before = sample(heap);
      const after = { ...before, bytes: { ...before.bytes, [memory]: before.bytes[memory] + more } };
      const growth = growthOf(rounds(before, before, after));
      expect(growth && growthComplaints(growth)).toEqual(expected);
    },
  );

  it('finds a leak of 2 % in each round', () => {
    const growing = Array.from({ length: 9 }, (_, round) => [sample(heap * 1.02 ** round)]);
    const growth = growthOf(growing);
    expect(growth && growthComplaints(growth)).toEqual([expect.stringContaining('heapUsed grew')]);
  });

  it('takes a single high sample for what it is', () => {
    const samples = [heap, heap, heap, heap, heap, heap, 2 * heap, heap, heap].map((bytes) => sample(bytes));
    expect(growthOf(rounds(...samples))?.bytes.heapUsed.grew).toBe(false);
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
    const plan = planRound(options, 'r', 1);
    const messages = [...plan.bookings, ...plan.inquiries, ...plan.notices, ...plan.closings];
    const sentTwice = messages.filter(({ duplicate }) => duplicate === 'sentTwice').length;
    const redelivered = messages.filter(({ duplicate }) => duplicate === 'redelivered').length;
    expect((sentTwice + redelivered) / messages.length).toBeCloseTo(0.2, 1);
    expect(Math.min(sentTwice, redelivered)).toBeGreaterThan(0.05 * messages.length);
    expect([...plan.deliveries, ...plan.closingDeliveries]).toHaveLength(messages.length + sentTwice);
    expect(planRound({ ...options, duplicatesPercent: 0 }, 'r', 1).deliveries).toHaveLength(MESSAGES);
  });

  it('have copies that follow soon, and copies that come later', () => {
    const { deliveries } = planRound({ ...options, duplicatesPercent: 100 }, 'r', 1);
    const places = Map.groupBy(deliveries.keys(), (place) => deliveries[place]?.id);
    const distances = [...places.values()].flatMap(([first = 0, second]) =>
      second === undefined ? [] : [second - first],
    );
    const near = distances.filter((distance) => distance < 100).length;
    expect(near).toBeGreaterThan(0.3 * distances.length);
    expect(distances.length - near).toBeGreaterThan(0.3 * distances.length);
  });

  it('are for sagas and for none, and several are too large for one item', () => {
    const { bookings, inquiries, notices } = planRound(options, 'r', 1);
    expect(bookings.length).toBeGreaterThan(0.6 * MESSAGES);
    expect(inquiries.length).toBeGreaterThan(0.05 * MESSAGES);
    for (const type of Object.values(noticeTypes)) {
      expect(notices.filter((notice) => notice.type === type).length).toBeGreaterThan(0.02 * MESSAGES);
    }
    const large = [...bookings, ...inquiries, ...notices].filter(({ body }) => body.fillingBytes > 0);
    expect(large.length).toBeGreaterThan(10);
    expect(large.every(({ body }) => body.sends === 3)).toBe(true);
  });

  it('close every other account, and start a third of these anew', () => {
    const { bookings, closings, renewed, closingDeliveries } = planRound(options, 'r', 1);
    const closed = new Set(closings.map(({ body }) => body.account));
    expect(closed.size).toBe(options.sagas / 2);
    expect(renewed.size / closed.size).toBeCloseTo(1 / 3, 1);
    for (const account of renewed) {
      expect(closings.filter(({ body }) => body.account === account).length).toBeGreaterThan(1);
      const anew = bookings.filter(({ body }) => body.account === account && body.number >= MESSAGES);
      expect(anew.length).toBeGreaterThan(1);
      expect(closingDeliveries).toEqual(expect.arrayContaining(anew));
    }
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
