import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repository } from '../../test/support/source-files.ts';
import { type Figures, wcuOfMessage } from '../benchmark/figures.ts';
import { type CompleteRecord, readRecord } from '../benchmark/record.ts';
import { judgedFigures } from '../limits/verdicts.ts';
import { benchmarkDocuments, completeRecord, recordedFile, reportText, writeDocuments } from './page.ts';
import { sectionsOf } from './sections.ts';

const record = completeRecord(await readRecord(recordedFile));
const { figures } = record;
const documents = await benchmarkDocuments(record);
const page = documents['proof/benchmarks.md'] ?? '';

function recordWith(changed: Partial<Figures>): CompleteRecord {
  return { ...record, figures: { ...figures, ...changed } };
}

/** Run `npm run bench -- --from docs/proof/benchmarks.json --docs` if they differ. */
describe('docs/proof/benchmarks.md and its charts', () => {
  it('are made of docs/proof/benchmarks.json', async () => {
    for (const [path, text] of Object.entries(documents)) {
      expect([path, await readFile(join(repository, 'docs', path), 'utf8')]).toEqual([path, text]);
    }
  });

  it('are all there are', async () => {
    const images = await readdir(join(repository, 'docs/images'));
    const charts = images.filter((file) => file.startsWith('benchmark-')).map((file) => `images/${file}`);
    expect(charts.filter((path) => documents[path] === undefined)).toEqual([]);
    const shown = [...page.matchAll(/\]\(\.\.\/(images\/[^)]+)\)/g)].map(([, path]) => path);
    expect(shown.toSorted()).toEqual(charts.toSorted());
  });

  it('have no figure that is none', () => {
    for (const text of Object.values(documents))
      expect(text).not.toMatch(/NaN|Infinity|undefined|∞|null|\{\{/);
  });

  it('have tables whose rows are as long as their heads', () => {
    const tables = page.split('\n\n').filter((block) => block.startsWith('|'));
    expect(tables.length).toBeGreaterThanOrEqual(Object.keys(figures).length);
    for (const table of tables) {
      expect(new Set(table.split('\n').map((row) => row.split('|').length)).size).toBe(1);
    }
  });

  it('have chart titles that fit', () => {
    const charts = Object.values(sectionsOf(figures)).flatMap((section) => Object.values(section.charts));
    // Bold letters of 15 pixels are about 9 pixels wide where fonts are wide.
    for (const { title } of charts) expect(title.length * 9).toBeLessThan(720);
  });

  it('show small parts of a bundle together, and a bundle that loads no SDK package', async () => {
    const parts = {
      sagabox: { 'lib/kernel': 9.2, 'lib/attempt/ports.ts': 0.4, 'lib/index.ts': 0.3 },
      powertools: {},
    };
    const sdkLoadedAtOnce = { ...figures.coldLoad.sdkLoadedAtOnce, powertools: [] };
    const { 'proof/benchmarks.md': shown } = await benchmarkDocuments(
      recordWith({
        bundle: { ...figures.bundle, parts },
        coldLoad: { ...figures.coldLoad, sdkLoadedAtOnce },
      }),
    );
    expect(shown).toContain('| lib/kernel | 9.2 kB |\n| others | 0.7 kB |\n');
    expect(shown).toContain('Powertools loads no package');
  });
});

describe('a goal', () => {
  it('that is missed is shown with its reason, once for all goals that it explains', async () => {
    const { 'proof/benchmarks.md': shown = '' } = await benchmarkDocuments(recordWith({}));
    const { table, reasons } = goalLines(shown);
    const missed = ['WCU', 'RCU', 'Time'].map((of) => `${of} of one message, at an item of 100 kB / of 1 kB`);
    const rows = missed.map((title) => expect.stringMatching(new RegExp(`${title} .*not reached`)));
    expect(table.split('\n')).toEqual(expect.arrayContaining(rows));
    const [all] = reasons.filter((reason) => reason.startsWith(`**${missed[0]}: `));
    for (const title of missed) expect(all).toContain(`${title}: `);
    expect(shown.split('DynamoDB moves and bills whole items')).toHaveLength(2);
  });

  it('that is reached is shown without a reason', async () => {
    const sagabox = { ...figures.throughput.sagabox, 1: 2 * figures.throughput.itemized[1] };
    const { 'proof/benchmarks.md': shown = '' } = await benchmarkDocuments(
      recordWith({ throughput: { ...figures.throughput, sagabox } }),
    );
    const title = 'Messages per second, 1 at a time: sagabox / itemized';
    expect(shown).toContain(`| ${title} | at least 1.500 | 2.000 | reached |`);
    expect(shown).not.toContain(`**${title}`);
  });

  it('that is missed without a reason keeps the page from being made', async () => {
    const { 'N=1': one } = figures.cost;
    const cost = { ...figures.cost, 'N=1': { ...one, sagabox: { ...one.sagabox, wcu: 6 } } };
    await expect(benchmarkDocuments(recordWith({ cost }))).rejects.toThrow(
      'no reason for missed goals: WCU of one message, N = 1: sagabox / itemized: 0.750',
    );
    expect(reportText(recordWith({ cost }))).toContain('No reason is recorded.');
  });

  it('has a reason of one paragraph', () => {
    for (const { goal } of judgedFigures(figures)) {
      expect(goal?.reason ?? 'None.').toMatch(/^[A-Z](?:(?!\n\n)[\s\S])+\.$/);
    }
  });

  function goalLines(text: string) {
    const [, goals = ''] = text.split('## Goals\n\n');
    const [table = '', ...reasons] = (goals.split('\n## ')[0] ?? '').trim().split('\n\n');
    return { table, reasons };
  }
});

describe('what a run prints', () => {
  it('is the tables of the measured parts, and their goals', () => {
    const text = reportText({ ...record, figures: { cost: figures.cost } });
    expect(text).toMatch(/^batch10 +4 +20 +50 +0 +60 +20 +80 +0$/m);
    expect(text).toMatch(/N = 1: sagabox \/ itemized +at most 0\.630 +0\.625 +reached$/m);
    expect(text).not.toMatch(/Overhead|Throughput|Bundle|NaN|undefined/);
  });
});

describe('the written documents', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sagabox-benchmarks-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are the figures, the page and its charts', async () => {
    await mkdir(join(folder, 'images'));
    await writeFile(join(folder, 'images/benchmark-gone.svg'), '');
    await writeDocuments(record, folder);
    expect(await readdir(join(folder, 'images'))).not.toContain('benchmark-gone.svg');
    expect(JSON.parse(await readFile(join(folder, 'proof/benchmarks.json'), 'utf8'))).toEqual(record);
    for (const [path, text] of Object.entries(documents)) {
      expect(await readFile(join(folder, path), 'utf8')).toBe(text);
    }
  });

  it('are not made of a short run, or of some parts', async () => {
    await expect(writeDocuments({ ...record, depth: 'short' }, folder)).rejects.toThrow('full run');
    const { growth: _growth, ...others } = figures;
    await expect(writeDocuments({ ...record, figures: others }, folder)).rejects.toThrow('all parts');
  });
});

/** The page has no figures of its own: its claims hold whenever they are measured again. */
describe('what docs/guide/concurrency.md claims of contention', () => {
  type Rounds = Figures['contention'];
  const own = ({ optimistic, eventual, pessimistic }: Rounds) => [optimistic, eventual, pessimistic];

  it.each<[string, (rounds: Rounds) => boolean]>([
    ['200 messages', (rounds) => Object.values(rounds).every((round) => round?.messages === 200)],
    [
      'each applied once, none dead-lettered',
      (rounds) => own(rounds).every((round) => round.applied === 200 && round.deadLettered === 0),
    ],
    [
      'no conflicts in pessimistic mode, but refused attempts',
      ({ pessimistic }) => pessimistic.conflicts === 0 && pessimistic.refusedLockAttempts > 0,
    ],
    [
      'more than ten times the conflicts without turns',
      ({ turnsWithoutLease, jitterWithoutTurns }) =>
        jitterWithoutTurns.conflicts > 10 * turnsWithoutLease.conflicts,
    ],
    [
      'more than four times the write units without turns',
      ({ optimistic, jitterWithoutTurns }) => wcuOfMessage(jitterWithoutTurns) > 4 * wcuOfMessage(optimistic),
    ],
    ['no conflicts of crowds', ({ optimistic, eventual }) => optimistic.conflicts + eventual.conflicts === 0],
    [
      'more than one and a half times the write units without the lease of a crowd',
      ({ optimistic, turnsWithoutLease }) => wcuOfMessage(turnsWithoutLease) > 1.5 * wcuOfMessage(optimistic),
    ],
    [
      'less than a quarter of the refused attempts of a blind spin',
      ({ pessimistic, blindSpin }) => pessimistic.refusedLockAttempts < blindSpin.refusedLockAttempts / 4,
    ],
  ])('holds: %s', (_claim, holds) => expect(holds(figures.contention)).toBe(true));
});
