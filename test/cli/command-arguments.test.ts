import { describe, expect, it } from '@jest/globals';
import { readArguments, textOf } from '../../lib/cli/command-arguments.ts';

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
      "'5' is no option: options start with --",
      "--json takes no value, but 'yes' is given",
      '--size takes a value, and none is given',
      '--size takes a value, and none is given',
      '--size is given twice',
    ]);
  });

  it.each(['constructor', '__proto__', 'toString'])('know no option --%s', (name) => {
    expect(read(`--${name} 1`).problems[0]).toBe(`There is no option '--${name}'`);
  });
});
