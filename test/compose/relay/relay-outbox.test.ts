import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RelayOutboxOptions } from '../../../lib/compose/relay/relay-options.ts';
import { relayOutbox } from '../../../lib/compose/relay/relay-outbox.ts';
import { relaySettings } from '../../../lib/compose/relay/relay-settings.ts';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import type { RelayResult } from '../../../lib/relay/relay-result.ts';
import { relaySetting } from '../../../lib/settings/relay.ts';
import { at, storedRecord } from '../../support/commits.ts';
import { createQueue, dynamoDBClient, sqsClient } from '../../support/engines.ts';
import { ClientFaults, disableSdkRetries, dynamoDBError } from '../../support/faults.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { drain } from '../../support/queue.ts';
import { createStreamedTable, dynamoDBRelay } from '../../support/relay-subject.ts';
import { watchStream } from '../../support/table-stream.ts';

const [dynamoDB, sqs] = [dynamoDBClient(), sqsClient()];
const faults = new ClientFaults(dynamoDB);
beforeEach(() => faults.reset());

const settings = {
  [relaySetting.variable]: '{"olderThanSeconds":60,"strategy":"scan","maxReadUnitsPerSecond":7}',
};

describe('the settings of a relay', () => {
  it('have defaults', () => {
    expect(relaySettings({}, {})).toEqual({
      strategy: 'scan',
      olderThanMs: 900_000,
      leaseDurationMs: 300_000,
      maxReadUnitsPerSecond: 25,
      segments: 64,
      concurrency: 10,
      includePostponed: false,
    });
  });

  it('come from the environment, and before that from options', () => {
    const stated = { strategy: 'scan', olderThanMs: 60_000, maxReadUnitsPerSecond: 7 };
    expect(relaySettings({}, settings)).toMatchObject(stated);
    const options = { strategy: 'stream', olderThan: { hours: 1 }, maxReadUnitsPerSecond: 8 } as const;
    const given = { strategy: 'stream', olderThanMs: 3_600_000, maxReadUnitsPerSecond: 8 };
    expect(relaySettings(options, settings)).toMatchObject(given);
  });

  it.each<[RelayOutboxOptions, string | undefined]>([
    [{ olderThan: { minutes: 0 } }, 'nothing'],
    [{ olderThan: { minutes: -1 } }, 'olderThan'],
    [{ olderThan: { minutes: Number.NaN } }, 'olderThan'],
    [{ leaseDuration: { milliseconds: 1 } }, 'nothing'],
    [{ leaseDuration: { milliseconds: 0 } }, 'leaseDuration'],
    [{ maxReadUnitsPerSecond: 0.5 }, 'nothing'],
    [{ maxReadUnitsPerSecond: 0 }, 'maxReadUnitsPerSecond'],
    [{ segments: 1 }, 'nothing'],
    [{ segments: 0 }, 'segments'],
    [{ concurrency: 1 }, 'nothing'],
    [{ concurrency: 1.5 }, 'concurrency'],
    [{ strategy: 'guess' as 'scan' }, 'strategy'],
  ])('%j are refused for: %s', (options, report) => {
    const setting = report === 'nothing' ? undefined : report;
    if (setting === undefined) expect(() => relayOutbox(options)).not.toThrow();
    else expect(() => relayOutbox(options)).toThrow(`${setting}: `);
  });

  it.each(['nonsense', '[]', '"scan"', '{"strategy":"guess"}', '{"olderThanSeconds":"soon"}'])(
    'of the environment are refused when they are %s',
    (text) => {
      expect(() => relaySettings({}, { [relaySetting.variable]: text })).toThrow(/Set it to|Use/);
    },
  );
});

describe('the handler of a relay', () => {
  let tableName: string;
  let billing: string;
  let lines: { level: string; message: string; facts: Record<string, unknown> }[];
  let results: RelayResult[];

  beforeEach(async () => {
    tableName = await createStreamedTable(dynamoDB);
    billing = await createQueue();
    [lines, results] = [[], []];
  });

  const log = (level: string) => (message: string, facts: Record<string, unknown>) =>
    void lines.push({ level, message, facts });

  const handlerWith = (options: RelayOutboxOptions = {}) =>
    relayOutbox({
      endpoint: 'orders',
      outboxTable: { tableName },
      destinations: { billing },
      strategy: 'stream',
      dynamoDBClient: dynamoDB,
      sqsClient: sqs,
      logger: { info: log('info'), warn: log('warn'), error: log('error') },
      onRelayed: (result) => void results.push(result),
      ...options,
    });

  async function commit(...messageIds: string[]): Promise<void> {
    const { committer } = dynamoDBRelay({ client: dynamoDB, tableName, strategy: 'stream' });
    for (const id of messageIds) {
      await committer.commit(storedRecord(id, [outgoingMessage({ id: `of-${id}` })]), new CapacityMeter());
    }
    await watchStream(dynamoDB, tableName);
  }

  it('ignores its event, logs one line, and returns the result', async () => {
    await commit('m1');
    const result = await handlerWith()({ any: 'event' });
    expect(result).toMatchObject({ found: 1, dispatched: 1, complete: true });
    expect(results).toEqual([result]);
    const facts = { endpoint: 'orders', strategy: 'stream', found: 1, dispatched: 1, failed: 0 };
    expect(lines).toEqual([
      { level: 'info', message: 'Outbox relay', facts: expect.objectContaining(facts) },
    ]);
    expect((await drain(sqs, billing)).map(({ id }) => id)).toEqual(['of-m1']);
  });

  it('takes a query when there is nothing to relay, and nothing else', async () => {
    faults.reset();
    const { capacity } = await handlerWith()();
    expect(faults.operations).toEqual(['Query']);
    expect(capacity.readUnits).toBeLessThanOrEqual(0.5);
  });

  it('throws when records failed, after it has told each, and names some', async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `m${index}`);
    await commit(...ids);
    await expect(handlerWith({ destinations: {} })()).rejects.toMatchObject({
      code: 'RelayFailed',
      facts: { failed: 7, failures: expect.arrayContaining(['…']) },
    });
    const errors = lines.filter(({ level }) => level === 'error');
    expect(errors.map(({ facts }) => facts.messageId).toSorted()).toEqual(ids);
    expect(results).toHaveLength(1);
  });

  it('leaves alone what an earlier run could not dispatch, until its time comes or it is told to', async () => {
    await commit('m1');
    await expect(handlerWith({ destinations: {} })()).rejects.toMatchObject({ code: 'RelayFailed' });
    expect(await handlerWith()()).toMatchObject({ found: 1, postponed: 1, dispatched: 0, failed: [] });
    expect(lines.at(-1)?.facts).toMatchObject({ postponed: 1, failed: 0 });
    expect(await handlerWith({ includePostponed: true })()).toMatchObject({ postponed: 0, dispatched: 1 });
  });

  it('throws what the search ended with, after it has told what was done', async () => {
    const client = dynamoDBClient();
    disableSdkRetries(client);
    new ClientFaults(client).fail('Query', dynamoDBError('ThrottlingException'));
    await expect(handlerWith({ dynamoDBClient: client })()).rejects.toMatchObject({ code: 'Throttled' });
    expect(lines).toMatchObject([{ level: 'info', facts: { found: 0, complete: false } }]);
  });

  it('logs what onRelayed throws, and goes on', async () => {
    const onRelayed = () => Promise.reject(new Error('a bug'));
    expect(await handlerWith({ onRelayed })()).toMatchObject({ complete: true });
    expect(lines.at(-1)).toMatchObject({ level: 'error', message: 'onRelayed failed' });
  });

  it('stops before its time is up, and leaves the rest to the next run', async () => {
    await commit('m1', 'm2', 'm3');
    const context = { getRemainingTimeInMillis: () => 0 };
    // The timer fires before the second shard is asked for.
    const untilStopped = async (_input: unknown, proceed: () => Promise<unknown>) => {
      await new Promise((resolve) => setImmediate(resolve));
      return await proceed();
    };
    faults.plan('Query', untilStopped, 16);
    const stopped = await handlerWith()({}, context);
    expect(stopped.complete).toBe(false);
    expect(stopped.found).toBeLessThan(3);
    faults.reset();
    const { dispatched } = await handlerWith()({}, { getRemainingTimeInMillis: () => 60_000 });
    expect(stopped.dispatched + dispatched).toBe(3);
  });

  it('reads its configuration when it is first run, not when it is made', async () => {
    const handler = handlerWith({ outboxTable: { tableName: '' } });
    await expect(handler()).rejects.toMatchObject({ code: 'Configuration' });
  });

  it('leaves alone what is younger than 15 minutes, unless it is told otherwise', async () => {
    const { committer } = dynamoDBRelay({ client: dynamoDB, tableName, strategy: 'stream' });
    const { outbox, ...others } = storedRecord('m1', [outgoingMessage()]);
    if (outbox === undefined) throw new Error('There is no record to store');
    const recent = new Date(Date.now() - 14 * 60_000);
    await committer.commit({ ...others, outbox: { ...outbox, storedAt: recent } }, new CapacityMeter());
    await watchStream(dynamoDB, tableName);
    expect(await handlerWith()()).toMatchObject({ found: 0 });
    expect(await handlerWith({ olderThan: { minutes: 13 } })()).toMatchObject({ found: 1, dispatched: 1 });
    expect(at < recent).toBe(true);
  });
});

describe('the handler of a relay of several endpoints', () => {
  const names = ['orders', 'billing', 'shipping'] as const;
  let tableName: string;
  let queues: Record<'first' | 'second', string>;

  beforeEach(async () => {
    tableName = await createStreamedTable(dynamoDB);
    queues = { first: await createQueue(), second: await createQueue() };
    for (const endpoint of names) {
      const { committer } = dynamoDBRelay({ client: dynamoDB, tableName, strategy: 'stream', endpoint });
      const message = outgoingMessage({ id: `of-${endpoint}`, destination: 'ledger' });
      await committer.commit(storedRecord('m1', [message]), new CapacityMeter());
    }
    await watchStream(dynamoDB, tableName);
    faults.reset();
  });

  const lines: Record<string, unknown>[] = [];
  const logger = {
    info: (_message: string, facts: Record<string, unknown>) => void lines.push(facts),
    warn: () => {},
    error: () => {},
  };
  const handlerWith = (options: RelayOutboxOptions) =>
    relayOutbox({ outboxTable: { tableName }, dynamoDBClient: dynamoDB, sqsClient: sqs, logger, ...options });

  const undispatched = async (strategy: 'scan' | 'stream') => {
    const counts = names.map(async (endpoint) => {
      const stores = dynamoDBRelay({ client: dynamoDB, tableName, strategy, endpoint });
      let found = 0;
      for await (const _id of stores.undispatched.find(new Date(), new CapacityMeter())) found += 1;
      return [endpoint, found] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  };

  it.each(['scan', 'stream'] as const)(
    'by %s dispatches those of each to its own destinations, and leaves all others alone',
    async (strategy) => {
      const handler = handlerWith({
        strategy,
        segments: 2,
        maxReadUnitsPerSecond: 100_000,
        endpoints: [
          { endpoint: 'orders', destinations: { ledger: queues.first } },
          { endpoint: 'billing', destinations: { ledger: queues.second } },
        ],
      });
      const result = await handler();
      expect(result).toMatchObject({ found: 2, dispatched: 2, complete: true });
      expect(Object.keys(result.endpoints)).toEqual(['orders', 'billing']);
      expect(result.unknownEndpoints).toEqual(strategy === 'scan' ? { shipping: 1 } : {});
      expect((await drain(sqs, queues.first)).map(({ id }) => id)).toEqual(['of-orders']);
      expect((await drain(sqs, queues.second)).map(({ id }) => id)).toEqual(['of-billing']);
      expect(await undispatched(strategy)).toEqual({ orders: 0, billing: 0, shipping: 1 });
      expect(lines.at(-1)).toMatchObject({
        endpoints: { orders: { dispatched: 1 }, billing: { dispatched: 1 } },
        found: 2,
      });
    },
  );

  it('reads the table once for all of them', async () => {
    const endpoints = names.map((endpoint) => ({ endpoint, destinations: { ledger: queues.first } }));
    const settings = { strategy: 'scan', segments: 1, maxReadUnitsPerSecond: 100_000 } as const;
    expect(await handlerWith({ endpoints, ...settings })()).toMatchObject({ dispatched: 3 });
    expect(faults.operations.filter((operation) => operation === 'Scan')).toHaveLength(1);
    faults.reset();
    expect(await handlerWith({ endpoints, ...settings })()).toMatchObject({ found: 0, complete: true });
    // The read looks whether a scan was due.
    expect(faults.operations).toEqual(['Scan', 'BatchGetItem']);
  });

  it('names those whose records could not be dispatched', async () => {
    const endpoints = [
      { endpoint: 'orders', destinations: { ledger: queues.first } },
      { endpoint: 'billing', destinations: {} },
    ];
    await expect(handlerWith({ endpoints, strategy: 'stream' })()).rejects.toMatchObject({
      code: 'RelayFailed',
      facts: { endpoint: 'billing', failed: 1 },
    });
    expect((await drain(sqs, queues.first)).map(({ id }) => id)).toEqual(['of-orders']);
  });
});
