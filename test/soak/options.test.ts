import { describe, expect, it } from '@jest/globals';
import { defaults, readCommand } from './options.ts';

describe('the options of the soak', () => {
  it('have defaults', () => {
    expect(readCommand([])).toEqual({ run: { ...defaults, jsonFile: undefined } });
  });

  it('are read', () => {
    const args =
      '--minutes 5 --messages 10 --sagas 2 --workers 3 --duplicates 50 --seed 9 --mode pessimistic --black-holes 5 --json figures.json';
    expect(readCommand(args.split(' '))).toEqual({
      run: {
        minutes: 5,
        messages: 10,
        sagas: 2,
        workers: 3,
        duplicatesPercent: 50,
        seed: 9,
        mode: 'pessimistic',
        blackHoleSeconds: 5,
        jsonFile: 'figures.json',
      },
    });
  });

  it.each([
    [['--messages', '2000', '--sagas', '1'], 'run'],
    [['--messages', '2001', '--sagas', '1'], 'refused'],
    [['--messages', '0'], 'refused'],
    [['--workers', '2'], 'run'],
    [['--workers', '1'], 'refused'],
    [['--duplicates', '100'], 'run'],
    [['--duplicates', '101'], 'refused'],
    [['--minutes', '1.5'], 'refused'],
    [['--mode', 'none'], 'refused'],
    [['--black-holes', '0'], 'run'],
    [['--black-holes', '60'], 'run'],
    [['--black-holes', '61'], 'refused'],
    [['--json', ''], 'refused'],
    [['--unknown'], 'refused'],
    [['--help'], 'help'],
  ])('%j is a command of kind %s', (args, kind) => {
    expect(Object.keys(readCommand(args))).toEqual([kind]);
  });
});
