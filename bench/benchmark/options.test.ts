import { describe, expect, it } from '@jest/globals';
import { readCommand } from './options.ts';
import { partNames } from './parts.ts';

describe('the options of the benchmark', () => {
  it('measure all parts at full length when there are none', () => {
    expect(readCommand([])).toEqual({
      run: { depth: 'full', parts: partNames, jsonFile: undefined, fromFile: undefined, docs: false },
    });
  });

  it('name parts, which are measured in the order of all', () => {
    expect(readCommand(['--short', '--only', 'growth, cost', '--json', 'a.json'])).toEqual({
      run: {
        depth: 'short',
        parts: ['cost', 'growth'],
        jsonFile: 'a.json',
        fromFile: undefined,
        docs: false,
      },
    });
  });

  it('make the documents of a run, or of the figures of an earlier one', () => {
    expect(readCommand(['--docs', '--json', 'a.json'])).toMatchObject({
      run: { docs: true, jsonFile: 'a.json' },
    });
    expect(readCommand(['--docs', '--from', 'a.json'])).toMatchObject({
      run: { docs: true, fromFile: 'a.json' },
    });
  });

  it('tell all of them', () => {
    const command = readCommand(['--help']);
    const help = 'help' in command ? command.help : '';
    for (const option of ['--only', '--short', '--json', '--docs', '--from', '--help']) {
      expect(help).toContain(`  ${option} `);
    }
    for (const part of partNames) expect(help).toContain(part);
  });

  it.each([
    [
      ['--only', 'speed'],
      "--only takes cost, overhead, bundle, coldLoad, throughput, contention, growth, not 'speed'",
    ],
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
  ])('refuse %j with a reason', (args, reason) => {
    expect(readCommand(args)).toEqual({ refused: expect.stringContaining(reason) });
  });
});
