import { describe, expect, it } from '@jest/globals';
import { readRelayCommand, relayUsage } from '../../../lib/cli/relay/options.ts';

const required = ['--endpoint', 'orders', '--table', 'outbox'];
const read = (args: readonly string[], environment = {}) => readRelayCommand(args, environment);

describe('the command line of sagabox relay', () => {
  it('takes endpoint and table, and leaves the rest to the defaults', () => {
    expect(read(required)).toEqual({
      run: {
        relay: { endpoint: 'orders', outboxTable: { tableName: 'outbox' } },
        dryRun: false,
        json: false,
      },
    });
  });

  it('takes endpoint and table from the environment of a function', () => {
    const environment = { SAGABOX_ENDPOINT: 'billing', SAGABOX_OUTBOX_TABLE: 'kept' };
    expect(read([], environment)).toMatchObject({
      run: { relay: { endpoint: 'billing', outboxTable: { tableName: 'kept' } } },
    });
    expect(read(required, environment)).toMatchObject({ run: { relay: { endpoint: 'orders' } } });
  });

  it('takes every option', () => {
    const args = [
      ...required,
      ...[
        '--destination',
        'billing=https://queue.example/a?b=c',
        '--destination',
        'events=arn:aws:sns:r:1:t',
      ],
      ...['--strategy', 'scan', '--older-than', '30m', '--max-read-units', '100', '--keep', '14d'],
      ...['--partition-key', 'P', '--sort-key', 'S', '--ttl-attribute', 'T', '--dry-run', '--json'],
    ];
    expect(read(args)).toEqual({
      run: {
        relay: {
          endpoint: 'orders',
          outboxTable: {
            tableName: 'outbox',
            partitionKeyName: 'P',
            sortKeyName: 'S',
            timeToLiveAttributeName: 'T',
          },
          destinations: { billing: 'https://queue.example/a?b=c', events: 'arn:aws:sns:r:1:t' },
          strategy: 'scan',
          olderThan: { milliseconds: 1_800_000 },
          maxReadUnitsPerSecond: 100,
          deduplicationPeriod: { milliseconds: 1_209_600_000 },
        },
        dryRun: true,
        json: true,
      },
    });
  });

  it('puts its destinations before those of the environment', () => {
    const environment = {
      SAGABOX_DESTINATIONS: '{"billing":"https://a.example","shipping":"https://b.example"}',
    };
    expect(read([...required, '--destination', 'billing=https://c.example'], environment)).toMatchObject({
      run: { relay: { destinations: { billing: 'https://c.example', shipping: 'https://b.example' } } },
    });
  });

  it.each([
    [['--table', 'outbox'], '--endpoint is missing'],
    [['--endpoint', 'orders'], '--table is missing'],
    [[...required, '--strategy', 'guess'], '--strategy takes index or scan'],
    [[...required, '--older-than', 'soon'], '--older-than takes a duration'],
    [[...required, '--keep', '7'], '--keep takes a duration'],
    [[...required, '--max-read-units', '0'], '--max-read-units takes a whole number'],
    [[...required, '--max-read-units', '1.5'], '--max-read-units takes a whole number'],
    [[...required, '--destination', 'billing'], '--destination takes NAME=ADDRESS'],
    [[...required, '--destination', '=https://a.example'], '--destination takes NAME=ADDRESS'],
    [[...required, '--force'], '--force'],
    [[...required, 'extra'], 'extra'],
  ])('refuses %j', (args, reason) => {
    expect(read(args)).toEqual({ refused: expect.stringContaining(reason) });
  });

  it.each([
    ['{', 'it is not JSON'],
    ['"abc"', 'it is not an object'],
    ['["abc"]', 'it is not an object'],
    ['{}', undefined],
    ['null', undefined],
  ])('refuses an environment %s: %s', (SAGABOX_DESTINATIONS, problem) => {
    const args = [...required, '--destination', 'billing=https://a.example'];
    const line = read(args, { SAGABOX_DESTINATIONS });
    if (problem === undefined) expect(line).toHaveProperty('run');
    else expect(line).toEqual({ refused: expect.stringContaining(`SAGABOX_DESTINATIONS: ${problem}`) });
  });

  it.each(['--help', '-h'])('%s asks for the usage', (option) => {
    expect(read([option])).toEqual({ help: true });
  });

  it('is told by the usage, option by option', () => {
    const options = [
      ...['endpoint', 'table', 'destination', 'strategy', 'older-than', 'max-read-units', 'keep'],
      ...['partition-key', 'sort-key', 'ttl-attribute', 'dry-run', 'json', 'help'],
    ];
    for (const option of options) expect(relayUsage).toContain(`--${option}`);
  });
});
