import { describe, expect, it } from '@jest/globals';
import type { ContentionRound } from '../benchmark/figures.ts';
import { readRecord } from '../benchmark/record.ts';
import { boundComplaints } from '../limits/contention-bounds.ts';
import { completeRecord, recordedFile } from '../report/page.ts';
import { readCommand } from './options.ts';
import { complaints } from './summary.ts';

const messages = 12;

const blindSpin: ContentionRound = {
  messages,
  applied: messages,
  twice: 0,
  deadLettered: 0,
  conflicts: 0,
  refusedLockAttempts: 10,
  rcuPerMessage: 1,
  wcuPerMessage: 4,
  refusedWcuPerMessage: 1,
  callsPerMessage: 4,
  seconds: 5,
};

describe('the contention benchmark', () => {
  it.each<[Partial<ContentionRound>, { losses?: string[]; worse?: string[] }]>([
    [{ refusedLockAttempts: 5, seconds: 5 }, {}],
    [
      { refusedLockAttempts: 6 },
      { worse: ['more than half of the refused lock attempts of the blind spin'] },
    ],
    [{ seconds: 5.1 }, { worse: ['slower than the blind spin'] }],
    [{ applied: messages - 1 }, { losses: ['1 messages were not applied'] }],
    [{ applied: messages - 2, twice: 2 }, { losses: ['2 messages were applied more than once'] }],
    [{ deadLettered: 1 }, { losses: ['1 messages are in the dead-letter queue'] }],
  ])('checks a round with %j', (changed, expected) => {
    const pessimistic = { ...blindSpin, refusedLockAttempts: 5, ...changed };
    const none = { losses: [], worse: [] };
    expect(complaints('pessimistic', { pessimistic, blindSpin })).toEqual({ ...none, ...expected });
  });

  it('checks the round of the embedded outbox, too', () => {
    const embedded = { ...blindSpin, applied: messages - 1 };
    expect(complaints('optimistic', { optimistic: blindSpin, embedded })).toEqual({
      losses: ['embedded outbox: 1 messages were not applied'],
      worse: [],
    });
  });
});

it('holds the optimistic mode to its bounds', async () => {
  const { contention } = completeRecord(await readRecord(recordedFile)).figures;
  expect(boundComplaints(contention)).toEqual([]);
  const optimistic = { ...contention.optimistic, callsPerMessage: 40, refusedWcuPerMessage: 40 };
  expect(boundComplaints({ ...contention, optimistic })).toEqual([
    expect.stringMatching(/^WCU of one message, refused ones included: optimistic is 42.3, more than /),
    expect.stringMatching(/^Calls for one message: optimistic is 40, more than /),
  ]);
  const embedded = { ...contention.optimistic, rcuPerMessage: 0, callsPerMessage: 0, wcuPerMessage: 2.2 };
  expect(boundComplaints({ ...contention, embedded })).toEqual([
    expect.stringMatching(
      /^WCU of one message, refused ones included: embedded outbox is [\d.]+, more than /,
    ),
  ]);
});

it('reads the minimum and the maximum of each option', () => {
  const minimum = readCommand(['--messages', '1', '--workers', '1']);
  expect(minimum).toMatchObject({ run: { mode: 'pessimistic', messages: 1, workers: 1, conflicts: 0 } });
  const maximum = readCommand([
    '--mode',
    'eventual',
    '--messages',
    '5000',
    '--workers',
    '32',
    '--conflicts',
    '50',
  ]);
  expect(maximum).toMatchObject({ run: { mode: 'eventual', messages: 5000, workers: 32, conflicts: 50 } });
});
