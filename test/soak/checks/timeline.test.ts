import { describe, expect, it } from '@jest/globals';
import type { JournalEntry } from '../fleet/journal.ts';
import type { Evidence } from './evidence.ts';
import { heldVerdict as held } from './judge.ts';
import { timelineOf } from './timeline.ts';

const evidence: Evidence = {
  bookings: [],
  closings: [],
  senders: [],
  requests: [],
  openAccounts: new Map([['r1-7', [3, 3]]]),
  fullInboxes: 0,
  marks: new Map([['r1-closing-7-0', { applied: 2, attempt: 'second' }]]),
  entries: [{ id: 'm', source: 'r1-closing-7-0', ordinal: 0, attempt: 'first' }],
  answers: new Map(),
  undispatched: ['r1-closing-7-0'],
  listed: [],
  errorQueue: [],
  deadLetterQueue: [],
};

function journal(...entries: readonly [event: string, ...ids: string[]][]): string {
  return entries
    .map(([event, ...ids], index): JournalEntry => ({ at: `t${index}`, processId: 1, event, ids }))
    .map((entry) => JSON.stringify(entry))
    .join('\n');
}

describe('the timeline of what did not hold', () => {
  it('is empty when all held', () => {
    expect(timelineOf(held, evidence, journal(['received', 'r1-1']))).toEqual([]);
  });

  it('tells what happened to a message, and to all meanwhile, and what there is of it', () => {
    const verdict = { ...held, appliedTwice: ['the write of r1-closing-7-0 (2 times)'] };
    const text = journal(
      ['a worker ended before'],
      ['received', 'r1-1', 'r1-closing-7-0'],
      ['handled', 'r1-1'],
      ['a worker ended meanwhile'],
      ['handled', 'r1-closing-7-0'],
      ['a worker ended after'],
    );
    expect(timelineOf(verdict, evidence, `${text}\n{"at":"t6","ev`)).toEqual([
      'r1-closing-7-0:',
      '  t1 process 1: received',
      '  t3 process 1: a worker ended meanwhile',
      '  t4 process 1: handled',
      '  at the end: its write was made 2 times, last by the run second',
      '  at the end: its message 0 arrived as m, of the run first',
      '  at the end: its outbox record is not dispatched',
    ]);
  });

  it('names the account, too, of a booking that is there twice', () => {
    const verdict = { ...held, appliedTwice: ['the booking of r1-3 in r1-7 (2 times)'] };
    expect(timelineOf(verdict, evidence, '')).toEqual([
      'r1-3:',
      'r1-7:',
      '  at the end: as an account it has the bookings 3 3',
    ]);
  });

  it('names each run whose answer a request got', () => {
    const verdict = { ...held, answeredDifferently: ['r1-5, in 2 ways'] };
    const answers = new Map([
      ['r1-5', ['first', 'second', 'first'].map((attempt) => ({ attempt, response: attempt }))],
    ]);
    expect(timelineOf(verdict, { ...evidence, answers }, '')).toEqual([
      'r1-5:',
      '  at the end: it has the answer of the run first',
      '  at the end: it has the answer of the run second',
    ]);
  });

  it('is of the first five messages', () => {
    const undispatched = Array.from({ length: 9 }, (_, index) => `r2-${index}`);
    expect(timelineOf({ ...held, undispatched }, evidence, '')).toHaveLength(5);
  });
});
