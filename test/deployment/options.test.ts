import { describe, expect, it } from '@jest/globals';
import { defaults, readCommand } from './options.ts';

describe('the options of the deployment proof', () => {
  it('have defaults', () => {
    expect(readCommand([])).toEqual({
      run: {
        ...defaults,
        eachUpdate: false,
        jsonFile: undefined,
        mode: { kind: 'proof', withoutStatement: undefined },
      },
    });
  });

  it('are read', () => {
    const args = ['--orders', '20', '--kills', '3', '--each-update', '--json', 'figures.json'];
    expect(readCommand([...args, '--without-statement', 'A/B#1:sqs:SendMessage'])).toEqual({
      run: {
        orders: 20,
        kills: 3,
        eachUpdate: true,
        jsonFile: 'figures.json',
        mode: { kind: 'proof', withoutStatement: 'A/B#1:sqs:SendMessage' },
      },
    });
  });

  it.each([
    [['--list-statements'], { kind: 'listStatements' }],
    [['--each-statement'], { kind: 'eachStatement', only: undefined }],
    [['--each-statement', '--only', 'Billing'], { kind: 'eachStatement', only: 'Billing' }],
  ])('%j asks for another run', (args, mode) => {
    expect(readCommand(args)).toEqual({ run: { ...defaults, eachUpdate: false, jsonFile: undefined, mode } });
  });

  it.each([
    [['--orders', '4'], 'run'],
    [['--orders', '3'], 'refused'],
    [['--orders', '10', '--each-update'], 'run'],
    [['--orders', '9', '--each-update'], 'refused'],
    [['--orders', '10000'], 'run'],
    [['--orders', '10001'], 'refused'],
    [['--kills', '0'], 'run'],
    [['--kills', '-1'], 'refused'],
    [['--kills', '1.5'], 'refused'],
    [['--json', ''], 'refused'],
    [['--without-statement', ''], 'refused'],
    [['--without-statement', 'A#1:b', '--each-statement'], 'refused'],
    [['--list-statements', '--each-statement'], 'refused'],
    [['--only', 'Billing'], 'refused'],
    [['--unknown'], 'refused'],
    [['--help'], 'help'],
  ])('%j is a command of kind %s', (args, kind) => {
    expect(Object.keys(readCommand(args))).toEqual([kind]);
  });
});
