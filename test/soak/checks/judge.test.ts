import { describe, expect, it } from '@jest/globals';
import type { Answer, ArrivedEntry, Evidence } from './evidence.ts';
import { complaints, judge } from './judge.ts';

/**
 * One booking is poison; one without a mark was closed without one; one account was closed, one started again; two messages have no account; one of two
 * requests was answered twice.
 */
function evidence(): Evidence {
  return {
    bookings: [
      { id: 'm0', account: 'a', number: 0, sends: 2, isPoison: false, isMarked: true },
      { id: 'm1', account: 'a', number: 1, sends: 1, isPoison: true, isMarked: true },
      { id: 'm2', account: 'b', number: 2, sends: 0, isPoison: false, isMarked: true },
      { id: 'm3', account: 'e', number: 3, sends: 0, isPoison: false, isMarked: true },
      { id: 'm4', account: 'e', number: 4, sends: 0, isPoison: false, isMarked: true },
      { id: 'm5', account: 'g', number: 5, sends: 1, isPoison: false, isMarked: false },
    ],
    closings: [
      { id: 'f', account: 'g', startsAnew: false, isMarked: false },
      { id: 'c', account: 'b', startsAnew: false, isMarked: true },
      { id: 'd', account: 'e', startsAnew: true, isMarked: true },
      { id: 'none', account: 'e', startsAnew: true, isMarked: true },
    ],
    senders: [
      { id: 'marked', sends: 1, isMarked: true },
      { id: 'sent', sends: 1, isMarked: false },
    ],
    requests: [
      { id: 'asked', sends: 1, writes: true },
      { id: 'told', sends: 1, writes: false },
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
      ['asked', { applied: 1, attempt: 'eighth' }],
    ]),
    entries: [
      { id: 'm0/0', source: 'm0', ordinal: 0, attempt: 'first' },
      { id: 'm0/0', source: 'm0', ordinal: 0, attempt: 'first' },
      { id: 'm0/1', source: 'm0', ordinal: 1, attempt: 'first' },
      { id: 'm5/0', source: 'm5', ordinal: 0, attempt: 'tenth' },
      { id: 'f/0', source: 'f', ordinal: 0, attempt: 'eleventh', bookings: [5] },
      { id: 'c/0', source: 'c', ordinal: 0, attempt: 'third', bookings: [2] },
      { id: 'd/0', source: 'd', ordinal: 0, attempt: 'sixth', bookings: [3] },
      { id: 'marked/0', source: 'marked', ordinal: 0, attempt: 'seventh' },
      { id: 'sent/0', source: 'sent', ordinal: 0, attempt: 'any' },
      { id: 'sent/0', source: 'sent', ordinal: 0, attempt: 'any' },
      { id: 'asked/0', source: 'asked', ordinal: 0, attempt: 'eighth' },
      { id: 'told/0', source: 'told', ordinal: 0, attempt: 'ninth' },
    ],
    answers: new Map([
      ['asked', [answer('eighth'), answer('eighth')]],
      ['told', [answer('ninth')]],
    ]),
    undispatched: [],
    listed: [],
    fullInboxes: 0,
    errorQueue: ['m1', 'm1'],
    deadLetterQueue: [],
  };
}

function answer(attempt: string): Answer {
  return { response: `{"body":"${attempt}"}`, attempt };
}

const right = evidence();
const without = (id: string) => right.entries.filter((entry) => entry.id !== id);
const told = (source: string, bookings: number[]): ArrivedEntry => ({
  id: `${source}/0`,
  source,
  ordinal: 0,
  attempt: 'eleventh',
  bookings,
});
const withAccount = (account: string, bookings: number[]) =>
  new Map([...right.openAccounts, [account, bookings]]);
const withEntry = (entry: ArrivedEntry) => ({ entries: [...right.entries, entry] });
const withoutMark = (id: string) => new Map([...right.marks].filter(([marked]) => marked !== id));
const withMark = (id: string, applied: number, attempt: string) =>
  new Map([...right.marks, [id, { applied, attempt }] as const]);
const withAnswers = (id: string, ...attempts: string[]) =>
  new Map([...right.answers, [id, attempts.map(answer)] as const]);

describe('the checks of the effects', () => {
  it('hold when every effect is there once, and messages that came twice have one id', () => {
    expect(complaints(judge(right))).toEqual([]);
  });

  it.each<[string, Partial<Evidence>, RegExp]>([
    ['a write that is lost', { marks: new Map([...right.marks].slice(1)) }, /lost: the write of m0/],
    ['a booking that is lost', { openAccounts: withAccount('a', []) }, /lost: the booking of m0 in a/],
    [
      'a booking without a mark that is lost',
      { entries: [...without('f/0'), told('f', [])] },
      /lost: the booking of m5 in g/,
    ],
    [
      'a booking without a mark that is applied twice',
      { entries: [...without('f/0'), told('f', [5, 5])] },
      /twice: the booking of m5 in g/,
    ],
    [
      'a booking without a mark whose runs both sent',
      withEntry({ id: 'm5/0', source: 'm5', ordinal: 0, attempt: 'other' }),
      /twice: m5, as 2 of its runs sent/,
    ],
    ['a mark of a booking that has none', { marks: withMark('m5', 1, 'tenth') }, /twice: the write of m5/],
    ['a closing without a mark that is lost', { entries: without('f/0') }, /lost: .*1 messages of f/],
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
    ['a write of a request that is lost', { marks: withoutMark('asked') }, /lost: the write of asked/],
    [
      'a write of a request that was made twice',
      { marks: withMark('asked', 2, 'eighth') },
      /applied twice: the write of asked/,
    ],
    [
      'a write of a request that has none',
      { marks: withMark('told', 1, 'ninth') },
      /applied twice: the write of told/,
    ],
    [
      'a message of a request that did not arrive',
      { entries: without('asked/0') },
      /lost: 1 messages of asked/,
    ],
    ['a request without an answer', { answers: withAnswers('told') }, /lost: the answer to told/],
    [
      'several answers to a request',
      { answers: withAnswers('told', 'ninth', 'tenth') },
      /answered differently: told, in 2 ways/,
    ],
    [
      'the answer of a run that did not commit',
      { answers: withAnswers('asked', 'tenth') },
      /not committed as one: asked has the answer of another run than its write/,
    ],
    [
      'a message of a run of a request that did not commit',
      withEntry({ id: 'asked/0', source: 'asked', ordinal: 0, attempt: 'tenth' }),
      /did not commit: message 0 of asked/,
    ],
    [
      'a message of a run of a request without a write that did not commit',
      withEntry({ id: 'told/0', source: 'told', ordinal: 0, attempt: 'tenth' }),
      /did not commit: message 0 of told/,
    ],
    ['a record that is not dispatched', { undispatched: ['m0'] }, /dispatched and marked: m0/],
    [
      'a place that stays on the list',
      { listed: ['m0 at 2026'] },
      /left on the list of the relay: m0 at 2026/,
    ],
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
