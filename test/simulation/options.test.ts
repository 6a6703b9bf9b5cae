import { describe, expect, it } from '@jest/globals';
import { readCommand, usage } from './options.ts';

const read = (...args: string[]) => readCommand(args, () => 77);

describe('the options of the simulation', () => {
  it('have defaults', () => {
    const others = { mutations: false, path: undefined, jsonFile: undefined };
    const run = { seed: 77, runs: 10_000, mode: 'all', outbox: 'records', ...others };
    expect(read()).toEqual({ run });
  });

  it('are read', () => {
    const args = '--seed -5 --runs 30 --mode eventual --outbox embedded --path 3:1|AB:C --json a.json';
    const others = { mutations: false, path: '3:1|AB:C', jsonFile: 'a.json' };
    const run = { seed: -5, runs: 30, mode: 'eventual', outbox: 'embedded', ...others };
    expect(read(...args.split(' '))).toEqual({ run });
  });

  it('tell what they are', () => {
    expect(read('--help')).toEqual({ help: usage });
  });

  it.each([
    [['--runs', '1'], 'run'],
    [['--runs', '0'], '--runs takes a whole number from 1'],
    [['--runs', '1.5'], '--runs takes a whole number'],
    [['--seed', '2147483647'], 'run'],
    [['--seed', '2147483648'], '--seed takes a whole number'],
    [['--seed', '-2147483648'], 'run'],
    [['--seed', '-2147483649'], '--seed takes a whole number'],
    [['--seed', ''], '--seed takes a whole number'],
    [['--mode', 'pessimistic'], 'run'],
    [['--mode', 'other'], '--mode takes optimistic, eventual, pessimistic, mixed, all'],
    [['--outbox', 'other'], '--outbox takes records, both, embedded, records+both'],
    [['--path', '1:2'], '--path needs its --seed'],
    [['--seed', '1', '--path', 'x'], '--path takes what a failure tells'],
    [['--json', ''], '--json takes the path of a file'],
    [['--mutations', '--runs', '300', '--seed', '1'], 'run'],
    [['--mutations', '--mode', 'eventual'], '--mutations takes no --path, --json and --mode'],
    [['--other'], '--other'],
  ])('%j: %s', (args, expected) => {
    const command = read(...args);
    if (expected === 'run') expect(command).toHaveProperty('run');
    else expect(command).toEqual({ refused: expect.stringContaining(expected) });
  });
});
