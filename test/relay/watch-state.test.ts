import { expect, it } from '@jest/globals';
import {
  isSameWatch,
  judgeWatch,
  type SeenMapping,
  type SeenWatch,
  type WatchState,
} from '../../lib/relay/watch-state.ts';

const now = new Date('2026-01-02T12:00:00Z');
const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const mapping: SeenMapping = {
  id: 'map-1',
  state: 'Enabled',
  stream: 'stream-1',
  startsAt: 'TRIM_HORIZON',
  lastResult: 'OK',
};
const seen: SeenWatch = { stream: 'stream-1', mapping };
const known: WatchState = { stream: 'stream-1', mapping: 'map-1', watchedAt: before(0.25) };
const seenWith = (change: Partial<SeenMapping>): SeenWatch => ({
  ...seen,
  mapping: { ...mapping, ...change },
});

it('nothing is wrong while the stream is read, from the first run on', () => {
  const read = { state: { ...known, watchedAt: now }, problem: undefined };
  expect(judgeWatch(undefined, seen, 'map-1', now)).toEqual(read);
  expect(judgeWatch(known, seen, 'map-1', now)).toEqual(read);
});

it.each<[string, SeenWatch, string]>([
  ['a stream that is off', { ...seen, stream: undefined }, 'the stream of the table is off'],
  ['a mapping that is gone', { ...seen, mapping: undefined }, 'there is no event source mapping map-1'],
  ['a mapping on the stream before', seenWith({ stream: 'stream-0' }), 'map-1 reads stream-0'],
  ['a disabled mapping', seenWith({ state: 'Disabled' }), 'map-1 is disabled'],
  ['a mapping in a state that nobody knows', seenWith({ state: 'Paused' }), 'map-1 is paused'],
])('%s is a problem, and nothing is due yet', (_what, other, problem) => {
  const verdict = judgeWatch(known, other, 'map-1', now);
  expect(verdict.problem).toContain(problem);
  expect(verdict.state).toEqual(known);
});

it.each(['Enabling', 'Creating', 'Updating'])('a mapping that is %s reads', (state) => {
  expect(judgeWatch(known, seenWith({ state }), 'map-1', now).problem).toBeUndefined();
});

it('a watcher that fails is a problem once it has failed for two hours', () => {
  const failing = seenWith({ lastResult: 'PROBLEM: Function call failed' });
  expect(judgeWatch({ ...known, watchedAt: before(2) }, failing, 'map-1', now).problem).toBeUndefined();
  const verdict = judgeWatch({ ...known, watchedAt: before(2.01) }, failing, 'map-1', now);
  expect(verdict.problem).toBe('the watcher fails (PROBLEM: Function call failed)');
  expect(verdict.state.watchedAt).toEqual(before(2.01));
});

it.each<[string, WatchState | undefined, SeenWatch, string | undefined]>([
  [
    'a stream that was made anew',
    known,
    { stream: 'stream-2', mapping: { ...mapping, stream: 'stream-2' } },
    'another stream than before, stream-1',
  ],
  [
    'a mapping that was made anew with the newest',
    known,
    seenWith({ id: 'map-2', startsAt: 'LATEST' }),
    'LATEST',
  ],
  ['a mapping that was made anew with the oldest', known, seenWith({ id: 'map-2' }), undefined],
  ['a first mapping with the newest', undefined, seenWith({ startsAt: 'LATEST' }), 'began at LATEST'],
  ['a day in which nobody saw it read', { ...known, watchedAt: before(25) }, seen, 'for 25 hours'],
  ['nearly a day', { ...known, watchedAt: before(23) }, seen, undefined],
])('after %s a scan is due, or not', (_what, state, other, reason) => {
  const { scanDue } = judgeWatch(state, other, other.mapping?.id ?? '', now).state;
  if (reason === undefined) expect(scanDue).toBeUndefined();
  else expect(scanDue).toEqual({ since: now, reason: expect.stringContaining(reason) });
});

it('a scan stays due until it is made, since the last time at which something was missed', () => {
  const scanDue = { since: before(3), reason: 'the stream was off' };
  expect(judgeWatch({ ...known, scanDue }, seen, 'map-1', now).state.scanDue).toBe(scanDue);
  const again = judgeWatch({ ...known, scanDue, watchedAt: before(30) }, seen, 'map-1', now);
  expect(again.state.scanDue?.since).toEqual(now);
});

it('a stream that is off is not forgotten: one that it gets later is another one', () => {
  const { state } = judgeWatch(known, { ...seen, stream: undefined }, 'map-1', now);
  const later = { stream: 'stream-2', mapping: { ...mapping, stream: 'stream-2' } };
  expect(judgeWatch(state, later, 'map-1', now).state.scanDue?.reason).toContain('another stream');
});

it('a state is written again when it says something else, or is an hour old', () => {
  expect(isSameWatch(undefined, known)).toBe(false);
  expect(isSameWatch(known, { ...known, watchedAt: before(-0.5) })).toBe(true);
  expect(isSameWatch(known, { ...known, watchedAt: before(-0.75) })).toBe(false);
  expect(isSameWatch(known, { ...known, mapping: 'map-2' })).toBe(false);
  expect(isSameWatch(known, { ...known, scanDue: { since: now, reason: 'r' } })).toBe(false);
});
