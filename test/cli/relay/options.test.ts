import { afterEach, describe, expect, it } from '@jest/globals';
import { relayOutboxOptions } from '../../../lib/cli/relay/options.ts';
import { relayCommand } from '../../../lib/cli/relay/relay.ts';
import { valuesOf } from '../../support/command-io.ts';

const required = ['--endpoint', 'orders', '--table', 'outbox'];
const read = (args: readonly string[], environment = {}) =>
  relayOutboxOptions(valuesOf(relayCommand, args), environment);

afterEach(() => {
  delete process.env.SAGABOX_ENDPOINT;
  delete process.env.SAGABOX_OUTBOX_TABLE;
});

describe('the command line of sagabox relay', () => {
  it('takes endpoint and table, and leaves the rest to the defaults', () => {
    expect(read(required)).toEqual({ endpoint: 'orders', outboxTable: { tableName: 'outbox' } });
  });

  it('takes endpoint and table from the environment of a function', () => {
    process.env.SAGABOX_ENDPOINT = 'billing';
    process.env.SAGABOX_OUTBOX_TABLE = 'kept';
    expect(read([])).toEqual({ endpoint: 'billing', outboxTable: { tableName: 'kept' } });
    expect(read(required)).toEqual({ endpoint: 'orders', outboxTable: { tableName: 'outbox' } });
  });

  it('takes every option', () => {
    const destinations = ['billing=https://queue.example/a?b=c', 'events=arn:aws:sns:r:1:t'];
    const args = [
      ...required,
      ...destinations.flatMap((destination) => ['--destination', destination]),
      ...['--strategy', 'scan', '--older-than', '30m', '--max-read-units', '100', '--keep', '14d'],
      ...['--saga-table', 'sagas', '--partition-key', 'P', '--sort-key', 'S', '--ttl-attribute', 'T'],
      ...['--dry-run', '--json'],
    ];
    expect(valuesOf(relayCommand, args)).toMatchObject({ dryRun: true, json: true });
    const keys = { partitionKeyName: 'P', sortKeyName: 'S', timeToLiveAttributeName: 'T' };
    expect(read(args)).toEqual({
      endpoint: 'orders',
      outboxTable: { tableName: 'outbox', ...keys },
      sagaTable: { tableName: 'sagas', ...keys },
      destinations: { billing: 'https://queue.example/a?b=c', events: 'arn:aws:sns:r:1:t' },
      strategy: 'scan',
      olderThan: { minutes: 30 },
      maxReadUnitsPerSecond: 100,
      deduplicationPeriod: { days: 14 },
    });
  });

  it('puts its destinations before those of the environment', () => {
    const environment = {
      SAGABOX_DESTINATIONS: '{"billing":"https://a.example","shipping":"https://b.example"}',
    };
    expect(read([...required, '--destination', 'billing=https://c.example'], environment)).toMatchObject({
      destinations: { billing: 'https://c.example', shipping: 'https://b.example' },
    });
  });

  it('takes the names of queues that the constructs write, with their account and region', () => {
    const environment = {
      SAGABOX_DESTINATIONS: '{"shipping":{"address":"ship","maxMessageSizeBytes":2000},"events":"sns:t"}',
      SAGABOX_ACCOUNT_ID: '1',
      AWS_REGION: 'r',
    };
    expect(read([...required, '--destination', 'billing=https://c.example'], environment)).toMatchObject({
      destinations: {
        billing: 'https://c.example',
        shipping: { address: 'https://sqs.r.amazonaws.com/1/ship', maxMessageSizeBytes: 2_000 },
        events: 'arn:aws:sns:r:1:t',
      },
    });
  });

  it.each([
    [['--table', 'outbox'], "required option '--endpoint <name>' not specified"],
    [[...required, '--stack', 'Shop'], "option '--stack <name>' cannot be used with option '--table <name>'"],
    [
      ['--endpoint', 'orders', '--stack', 'Shop', '--keep', '7d'],
      "option '--stack <name>' cannot be used with option '--keep <duration>'",
    ],
    [
      ['--endpoint', '--table', 'outbox'],
      "'--endpoint <name>' argument '--table' is invalid. Expected a value",
    ],
    [[...required, '--strategy', 'guess'], 'Allowed choices are stream, scan'],
    [[...required, '--older-than', 'soon'], 'Expected a duration such as'],
    [[...required, '--keep', '7'], 'Expected a duration such as'],
    [[...required, '--max-read-units', '0'], 'Expected a whole number from 1'],
    [[...required, '--max-read-units', '1.5'], 'Expected a whole number from 1'],
    [[...required, '--destination', 'billing'], 'Expected name=address'],
    [[...required, '--destination', '=https://a.example'], 'Expected name=address'],
  ])('refuses %j', (args, reason) => {
    expect(() => read(args)).toThrow(reason);
  });

  it.each([
    ['{', 'it is not JSON'],
    ['"abc"', 'it is not an object'],
    ['["abc"]', 'it is not an object'],
    ['{}', undefined],
    ['null', undefined],
  ])('refuses an environment %s: %s', (SAGABOX_DESTINATIONS, problem) => {
    const line = () =>
      read([...required, '--destination', 'billing=https://a.example'], { SAGABOX_DESTINATIONS });
    if (problem === undefined) expect(line()).toMatchObject({ destinations: { billing: expect.anything() } });
    else expect(line).toThrow(`SAGABOX_DESTINATIONS: ${problem}`);
  });
});
