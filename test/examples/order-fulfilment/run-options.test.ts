import { describe, expect, it } from '@jest/globals';
import { readCommand } from '../../../examples/order-fulfilment/run-options.ts';

describe('the command line of npm start', () => {
  it('runs 200 orders with the outbox by default', () => {
    expect(readCommand([])).toEqual({
      run: { orders: 200, outbox: true, locking: 'optimistic', jsonFile: undefined },
    });
  });

  it('takes a number of orders, a file and the outbox away', () => {
    expect(readCommand(['--orders', '7', '--json', 'out.json', '--outbox', 'false'])).toEqual({
      run: { orders: 7, outbox: false, locking: 'optimistic', jsonFile: 'out.json' },
    });
  });

  it.each([
    ['1', 'taken'],
    ['10000', 'taken'],
    ['0', 'refused'],
    ['10001', 'refused'],
    ['1.5', 'refused'],
    ['-1', 'refused'],
    ['x', 'refused'],
    ['', 'refused'],
  ])('has %j orders %s', (orders, result) => {
    const taken = result === 'taken';
    expect('run' in readCommand([`--orders=${orders}`])).toBe(taken);
  });

  it.each([
    [['--nope']],
    [['extra']],
    [['--outbox', 'maybe']],
    [['--locking', 'both']],
    [['--json']],
    [['--json=']],
    [['--orders']],
  ])('refuses %j with a reason', (args) => {
    expect(readCommand(args)).toEqual({ refused: expect.stringMatching(/./) });
  });
});
