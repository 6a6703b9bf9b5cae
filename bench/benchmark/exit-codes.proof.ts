import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { BenchProcess } from '../bench-process.ts';
import { completeRecord, recordedFile } from '../report/page.ts';
import { partNames } from './measure-parts.ts';
import { readCommand } from './options.ts';
import { readRecord } from './record.ts';

const benchmarks = new BenchProcess('bench.ts');
const inDirectory = temporaryDirectory();
const recorded = completeRecord(await readRecord(recordedFile));

async function fileOf(name: string, content: unknown): Promise<string> {
  const file = inDirectory(name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('npm run bench', () => {
  it('exits with 1 if a bound is not met', async () => {
    const { contention } = recorded.figures;
    const optimistic = { ...contention.optimistic, twice: 1 };
    const worse = { ...recorded, figures: { contention: { ...contention, optimistic } } };
    const error = await benchmarks.run('--from', await fileOf('worse.json', worse)).catch((failed) => failed);
    expect(error.code).toBe(1);
    expect(error.stdout).toContain('FAILED Messages applied twice');
  });

  it('exits with 0 if goals are missed, and no bound is worse', async () => {
    const { throughput } = recorded.figures;
    const file = await fileOf('missed.json', { ...recorded, figures: { throughput } });
    expect((await benchmarks.run('--from', file)).stdout).toMatch(/\*\*not reached\*\*[\s\S]*\nOK\n$/);
  });

  it.each([
    ['cut', '{"date":', /does not hold JSON/],
    ['other', '{"date":"2026-01-31","speed":1}', /does not hold figures[\s\S]*speed/],
    ['null', { ...recorded, figures: { coldLoad: null } }, /figures\.coldLoad/],
  ])('refuses a file without figures: %s', async (name, content, problem) => {
    const failed = await benchmarks
      .run('--from', await fileOf(`${name}.json`, content))
      .catch((error) => error);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringMatching(problem) });
  });

  it('refuses a file of figures that does not exist', async () => {
    const failed = await benchmarks.run('--from', inDirectory('nowhere.json')).catch((error) => error);
    expect(failed).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^--from: ENOENT.*\n$/),
    });
  });

  it('exits with 1 if no document can be made of the figures', async () => {
    const file = await fileOf('short-record.json', { ...recorded, depth: 'short' });
    const failed = await benchmarks.run('--from', file, '--docs').catch((error) => error);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('need a full run') });
    expect(failed.stderr).toContain(`The figures are in ${file}, for --from.`);
  });

  it('keeps the content of a file until there are figures to replace it, when it is interrupted', async () => {
    const file = await fileOf('kept.json', 'earlier figures');
    expect(await benchmarks.interrupt('--only', 'cost', '--json', file)).toMatchObject({ exitCode: 130 });
    expect(await readFile(file, 'utf8')).toBe('earlier figures');
  });
});

describe('the options of the benchmark', () => {
  const standard = { depth: 'full', parts: partNames, docs: false, jsonFile: undefined, fromFile: undefined };
  it.each([
    [[], {}],
    [
      ['--short', '--only', 'growth, cost', '--json', 'a.json'],
      { depth: 'short', parts: ['cost', 'growth'], jsonFile: 'a.json' },
    ],
    [['--docs', '--json', 'a.json'], { docs: true, jsonFile: 'a.json' }],
    [['--docs', '--from', 'a.json'], { docs: true, fromFile: 'a.json' }],
  ])('%j are read', (args, options) =>
    expect(readCommand(args)).toEqual({ run: { ...standard, ...options } }),
  );

  it.each([
    [['--only', 'speed'], `--only takes ${partNames.join(', ')}, not 'speed'`],
    [['--only', ''], "not ''"],
    [['--only', 'cost,'], "not ''"],
    [['--json='], '--json takes the path of a file'],
    [['--from='], '--from takes the path of a file'],
    [['--docs', '--short'], 'not with --short'],
    [['--docs', '--only', 'cost'], 'not with --short or --only'],
    [['--from', 'a.json', '--short'], '--from measures nothing'],
    [['--from', 'a.json', '--only', 'cost'], '--from measures nothing'],
    [['--from', 'a.json', '--json', 'b.json'], '--from measures nothing'],
    [['--nope'], '--nope'],
    [['extra'], 'extra'],
  ])('%j are refused with a reason', (args, reason) => {
    expect(readCommand(args)).toEqual({ refused: expect.stringContaining(reason) });
  });
});
