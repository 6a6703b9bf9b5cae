import { describe, expect, it } from '@jest/globals';
import { allProblems, readArguments, textOf } from '../../lib/cli/command-arguments.ts';

const definitions = {
  size: { type: 'string' },
  queue: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;
const read = (line: string) => readArguments(line.split(' ').filter(Boolean), definitions);

describe('the arguments of a command', () => {
  it('are read by name', () => {
    const { values, problems } = read('--size 5 --queue a --queue=b --json -h');
    expect(problems).toEqual([]);
    expect(values).toEqual({ size: '5', queue: ['a', 'b'], json: true, help: true });
    expect([textOf(values, 'size'), textOf(values, 'json'), textOf(values, 'queue')]).toEqual([
      '5',
      undefined,
      undefined,
    ]);
  });

  it.each(['-5', '-0.5', '-Infinity'])('may be negative: %s', (value) => {
    expect(read(`--size ${value} --json`)).toEqual({ values: { size: value, json: true }, problems: [] });
  });

  it('are refused with every problem, in their order', () => {
    expect(
      read('file --sise 5 --json=yes --size --json --size= --queue a --size 1 --size 2').problems,
    ).toEqual([
      "'file' is no option: options start with --",
      "There is no option '--sise'",
      "--json takes no value, but 'yes' is given",
      '--size takes a value, and none is given',
      '--size takes a value, and none is given',
      '--size is given twice',
    ]);
  });

  it('are refused once each', () => {
    expect(read('--bogus 3').problems).toEqual(["There is no option '--bogus'"]);
    expect(read('--bogus 3 4').problems).toEqual([
      "There is no option '--bogus'",
      "'4' is no option: options start with --",
    ]);
    expect(read('--bogus=3 4').problems).toHaveLength(2);
    const { problems } = readArguments(['--size', ''], definitions);
    expect(problems).toEqual(['--size takes a value, and none is given']);
    expect(allProblems(problems, ['--size: is missing', '--queue: is missing'])).toEqual([
      ...problems,
      '--queue: is missing',
    ]);
    expect(allProblems([], ['--size: is missing'])).toEqual(['--size: is missing']);
  });

  it.each(['constructor', '__proto__', 'toString'])('know no option --%s', (name) => {
    expect(read(`--${name} 1`).problems[0]).toBe(`There is no option '--${name}'`);
  });
});
