import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { repository } from '../../test/support/source-files.ts';
import type { CompleteRecord } from '../benchmark/record.ts';
import { readRecord } from '../benchmark/record-file.ts';
import { checkBounds } from '../limits/check-bounds.ts';
import { wcuOfMessage } from '../limits/contention-figures.ts';
import { benchmarkDocuments, completeRecord, recordedFile } from './docs.ts';

const docs = join(repository, 'docs');

/** Run `npm run bench -- --from docs/proof/benchmarks.json --docs` when they differ. */
describe('docs/proof/benchmarks.md and its charts', () => {
  let record: CompleteRecord;

  beforeAll(async () => {
    record = completeRecord(await readRecord(recordedFile));
  });

  it('are made of docs/proof/benchmarks.json', async () => {
    for (const { path, text } of benchmarkDocuments(record)) {
      expect([path, await readFile(join(docs, path), 'utf8')]).toEqual([path, text]);
    }
  });

  it('are all there are', async () => {
    const drawn = benchmarkDocuments(record).map(({ path }) => path);
    const files = (await readdir(join(docs, 'images'))).filter((file) => file.startsWith('benchmark-'));
    expect(files.map((file) => join('images', file)).filter((file) => !drawn.includes(file))).toEqual([]);
  });

  it('have figures that meet the recorded bounds', () => {
    expect(checkBounds(record).flatMap(({ complaint }) => complaint ?? [])).toEqual([]);
  });
});

/** The page has no figures of its own: its claims hold whenever they are measured anew. */
describe('what docs/guide/concurrency.md claims of contention', () => {
  type Rounds = CompleteRecord['contention'];
  const own = ({ optimistic, eventual, pessimistic }: Rounds) => [optimistic, eventual, pessimistic];

  it.each<[string, (rounds: Rounds) => boolean]>([
    ['200 messages', (rounds) => Object.values(rounds).every(({ messages }) => messages === 200)],
    [
      'each applied once, none dead-lettered',
      (rounds) => own(rounds).every((round) => round.appliedOnce === 200 && round.deadLettered === 0),
    ],
    [
      'no conflicts in pessimistic mode, but refused attempts',
      ({ pessimistic }) => pessimistic.conflicts === 0 && pessimistic.refusedLockAttempts > 0,
    ],
    [
      'more than four times the conflicts without turns',
      ({ optimistic, jitterWithoutTurns }) => jitterWithoutTurns.conflicts > 4 * optimistic.conflicts,
    ],
    [
      'more than twice the write units without turns',
      ({ optimistic, jitterWithoutTurns }) => wcuOfMessage(jitterWithoutTurns) > 2 * wcuOfMessage(optimistic),
    ],
    [
      'less effect of jitter than of turns',
      ({ optimistic, turnsWithoutJitter, jitterWithoutTurns }) =>
        Math.abs(turnsWithoutJitter.conflicts - optimistic.conflicts) <
        (jitterWithoutTurns.conflicts - optimistic.conflicts) / 4,
    ],
    [
      'less than a quarter of the refused attempts of a blind spin',
      ({ pessimistic, blindSpin }) => pessimistic.refusedLockAttempts < blindSpin.refusedLockAttempts / 4,
    ],
  ])('holds: %s', async (_claim, holds) => {
    expect(holds(completeRecord(await readRecord(recordedFile)).contention)).toBe(true);
  });
});
