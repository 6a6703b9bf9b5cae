import { describe, expect, it } from '@jest/globals';
import { redriveCommand } from '../../../lib/cli/redrive/redrive.ts';
import { valuesOf } from '../../support/command-io.ts';

const from = 'https://sqs.eu-west-1.amazonaws.com/1/errors';
const read = (...args: string[]) => valuesOf(redriveCommand, args);

describe('the options of redrive', () => {
  it('can all be given', () => {
    const filters = ['--code', 'A', '--code', 'B', '--type', 'Placed', '--since', '2026-11-20', '--max', '7'];
    const ids = ['--id', 'm1', 'm2', '--correlation-id', '7'];
    expect(read('--from', from)).toEqual({ from });
    expect(read('--from', from, '--to', `${from}-2`, ...filters, ...ids, '--dry-run', '--json')).toEqual({
      from,
      to: `${from}-2`,
      code: ['A', 'B'],
      type: ['Placed'],
      id: ['m1', 'm2'],
      correlationId: ['7'],
      since: new Date('2026-11-20T00:00:00Z'),
      max: 7,
      dryRun: true,
      json: true,
    });
  });

  it.each([
    [
      ['--from', from, '--stack', 'Shop'],
      "option '--stack <name>' cannot be used with option '--from <url>'",
    ],
    [['--stack', '--endpoint', 'orders'], "'--stack <name>' argument '--endpoint' is invalid"],
    [['--stack', 'Shop', '--queue', 'other'], 'Allowed choices are errors, dead-letters, undelivered'],
    [['--from', 'errors'], "'--from <url>' argument 'errors' is invalid. Expected a URL"],
    [['--from', 'arn:aws:sqs:eu-west-1:1:errors'], 'Expected a URL'],
    [['--from', from, '--to', 'orders'], 'Expected a URL'],
    [['--from', from, '--max', '0'], 'Expected a whole number from 1'],
    [['--from', from, '--max', '1.5'], 'Expected a whole number from 1'],
    [['--from', from, '--max', '-1'], 'Expected a whole number from 1'],
    [['--from', from, '--since', 'yesterday'], 'Expected a time such as'],
  ])('%j are refused: %s', (args, reason) => {
    expect(() => read(...args)).toThrow(reason);
  });
});
