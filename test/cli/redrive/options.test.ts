import { describe, expect, it } from '@jest/globals';
import { readRedriveCommand } from '../../../lib/cli/redrive/options.ts';
import { parseSince } from '../../../lib/cli/since.ts';

const now = new Date('2026-11-21T06:00:00Z');
const from = 'https://sqs.eu-west-1.amazonaws.com/1/errors';
const read = (...args: string[]) => readRedriveCommand(args, now);

describe('the options of redrive', () => {
  it('have defaults', () => {
    expect(read('--from', from)).toEqual({
      run: {
        from,
        to: undefined,
        codes: [],
        types: [],
        since: undefined,
        maximum: Number.POSITIVE_INFINITY,
        dryRun: false,
        json: false,
      },
    });
  });

  it('can all be given', () => {
    const filters = ['--code', 'A', '--code', 'B', '--type', 'Placed', '--since', '12h', '--max', '7'];
    expect(read('--from', from, '--to', `${from}-2`, ...filters, '--dry-run', '--json')).toEqual({
      run: {
        from,
        to: `${from}-2`,
        codes: ['A', 'B'],
        types: ['Placed'],
        since: new Date('2026-11-20T18:00:00Z'),
        maximum: 7,
        dryRun: true,
        json: true,
      },
    });
  });

  it('can be told', () => {
    expect(read('--help')).toEqual({ help: true });
    expect(read('-h', '--from', 'x')).toEqual({ help: true });
  });

  it.each([
    [[], '--from is missing'],
    [['--from', 'errors'], '--from takes the URL of a queue'],
    [['--from', 'arn:aws:sqs:eu-west-1:1:errors'], '--from takes the URL of a queue'],
    [['--from', from, '--to', 'orders'], '--to takes the URL of a queue'],
    [['--from', from, '--to', from], '--to is the queue of --from'],
    [['--from', from, '--max', '0'], '--max takes a whole number from 1'],
    [['--from', from, '--max', '1.5'], '--max takes'],
    [['--from', from, '--max', '-1'], '--max'],
    [['--from', from, '--since', 'yesterday'], '--since takes a time'],
    [['--from', from, '--since', ''], '--since takes a time'],
    [['--from', from, '--fast'], '--fast'],
    [['--from', from, 'more'], 'more'],
  ])('%j are refused: %s', (args, reason) => {
    expect(read(...args)).toEqual({ refused: expect.stringContaining(reason) });
  });
});

describe('parseSince', () => {
  it.each([
    ['90s', '2026-11-21T05:58:30.000Z'],
    ['30m', '2026-11-21T05:30:00.000Z'],
    ['12h', '2026-11-20T18:00:00.000Z'],
    ['7d', '2026-11-14T06:00:00.000Z'],
    ['0s', '2026-11-21T06:00:00.000Z'],
    ['2026-11-20T00:00Z', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseSince(text, now)?.toISOString()).toBe(expected);
  });

  it.each(['', '5', '5w', '-5m', '1.5h', 'now', '2026-13-01', '99999999999d'])('%j is neither', (text) => {
    expect(parseSince(text, now)).toBeUndefined();
  });
});
