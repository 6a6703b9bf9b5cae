import { randomUUID } from 'node:crypto';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { InvocationReport } from '../../../lib/local/lambda/event-source.ts';
import type { InvocationOutcome } from '../../../lib/local/lambda/function-instance.ts';
import { StreamCalls } from '../../../lib/local/streams/stream-calls.ts';
import type { StreamMapping } from '../../../lib/local/streams/stream-mapping.ts';
import { StreamSource, type StreamSourceOptions } from '../../../lib/local/streams/stream-source.ts';
import { dynamoDBClient } from '../../support/engines.ts';
import { createSagaTable } from '../../support/own-engines/tables.ts';
import { waitUntil } from '../../support/wait-until.ts';

const client = dynamoDBClient();
const engine = new StreamCalls(process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT ?? '');
const sources: StreamSource[] = [];
let tableName: string;
let streamArn: string;
/** On the clock of the queues, which stands still unless a test moves it. */
let nowMs: number;
/** The keys of each batch that was handed over, in this order. */
let batches: string[][];
let failures: unknown[];

beforeEach(async () => {
  [nowMs, batches, failures] = [0, [], []];
  tableName = `test-${randomUUID()}`;
  streamArn = (await createSagaTable(client, tableName, { stream: 'NEW_IMAGE' })) ?? '';
});

afterEach(async () => {
  for (const source of sources.splice(0)) await source.stop();
});

const done: InvocationOutcome = { kind: 'result', result: null };
const failed: InvocationOutcome = { kind: 'died', error: { errorType: 'Died', errorMessage: 'died' } };

async function startSource(
  mapping: Partial<StreamMapping> = {},
  options: Partial<Omit<StreamSourceOptions, 'mapping'>> = {},
  outcomes: InvocationOutcome[] = [],
): Promise<StreamSource> {
  const source = new StreamSource({
    mapping: {
      ...{ name: 'Mapping', functionName: 'Watcher', streamArn, startingPosition: 'TRIM_HORIZON' },
      ...{ batchSize: 100, batchingWindowMs: 0, reportsBatchItemFailures: false, matches: () => true },
      ...mapping,
    },
    streams: engine,
    invoke: async (event) => {
      batches.push((event as DynamoDBStreamEvent).Records.map(keyOf));
      return outcomes.shift() ?? done;
    },
    now: () => nowMs,
    pollIntervalMs: 5,
    onInvocation: () => undefined,
    onFailure: (error) => failures.push(error),
    ...options,
  });
  sources.push(source);
  await source.start();
  return source;
}

function keyOf({ dynamodb }: DynamoDBStreamEvent['Records'][number]): string {
  return dynamodb?.Keys?.PK?.S ?? '';
}

async function put(...keys: string[]): Promise<void> {
  for (const key of keys) {
    await client.send(new PutItemCommand({ TableName: tableName, Item: { PK: { S: key }, SK: { S: 'S' } } }));
  }
}

async function handedOver(...expected: string[][]): Promise<void> {
  await waitUntil(() => batches.flat().length >= expected.flat().length || failures.length > 0);
  expect([batches, failures]).toEqual([expected, []]);
}

/** The calls of the engine, and how often records were asked for. */
function counted(): { streams: StreamSourceOptions['streams']; reads: () => number } {
  let reads = 0;
  const streams = overriding({
    records: (iterator, signal) => {
      reads += 1;
      return engine.records(iterator, signal);
    },
  });
  return { streams, reads: () => reads };
}

function overriding(changed: Partial<StreamSourceOptions['streams']>): StreamSourceOptions['streams'] {
  return {
    shards: (...args) => engine.shards(...args),
    iterator: (...args) => engine.iterator(...args),
    records: (...args) => engine.records(...args),
    ...changed,
  };
}

describe('the source of a stream', () => {
  it('hands over each change as Lambda does, with binary values in base64', async () => {
    const events: unknown[] = [];
    const invoke = async (event: unknown) => {
      events.push(...(event as DynamoDBStreamEvent).Records);
      return done;
    };
    await startSource({}, { invoke });
    const Key = { PK: { S: 'a' }, SK: { S: 'S' } };
    const Item = { ...Key, b: { B: Buffer.from([0, 1, 2]) }, m: { M: { n: { N: '1.5' } } } };
    await client.send(new PutItemCommand({ TableName: tableName, Item }));
    await client.send(new PutItemCommand({ TableName: tableName, Item: Key }));
    await client.send(new DeleteItemCommand({ TableName: tableName, Key }));
    await waitUntil(() => events.length === 3);
    const change = (eventName: string, image: object) => ({
      eventID: expect.any(String),
      eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: streamArn,
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: Key,
        SequenceNumber: expect.stringMatching(/^\d+$/),
        SizeBytes: expect.any(Number),
        StreamViewType: 'NEW_IMAGE',
        ...image,
      },
    });
    expect(events).toEqual([
      change('INSERT', { NewImage: { ...Key, b: { B: 'AAEC' }, m: { M: { n: { N: '1.5' } } } } }),
      change('MODIFY', { NewImage: Key }),
      change('REMOVE', {}),
    ]);
  });

  it('fills batches in the order of the changes', async () => {
    await put('a', 'b', 'c', 'd', 'e');
    await startSource({ batchSize: 2 });
    await handedOver(['a', 'b'], ['c', 'd'], ['e']);
  });

  it('waits for its batching window, on the clock of the queues, and not for a batch that is full', async () => {
    const { streams, reads } = counted();
    await startSource({ batchSize: 3, batchingWindowMs: 5_000 }, { streams });
    await put('a', 'b', 'c', 'd');
    const someReads = async () => {
      const before = reads();
      await waitUntil(() => reads() > before + 2);
    };
    await handedOver(['a', 'b', 'c']);
    await someReads();
    nowMs += 4_999;
    await someReads();
    expect(batches).toHaveLength(1);
    nowMs += 1;
    await handedOver(['a', 'b', 'c'], ['d']);
  });

  it('hands over what its filter lets through', async () => {
    const matches = (record: DynamoDBStreamEvent['Records'][number]) => keyOf(record).startsWith('OUTBOX#');
    await startSource({ batchSize: 2, matches: matches as StreamMapping['matches'] });
    await put('SAGA#1', 'OUTBOX#1', 'SAGA#2', 'SAGA#3', 'OUTBOX#2');
    await waitUntil(() => batches.flat().length === 2);
    expect(batches.flat()).toEqual(['OUTBOX#1', 'OUTBOX#2']);
  });

  it.each([
    ['TRIM_HORIZON', ['before', 'after']],
    ['LATEST', ['after']],
  ] as const)('begins at %s', async (startingPosition, expected) => {
    await put('before');
    await startSource({ startingPosition });
    await put('after');
    await waitUntil(() => batches.flat().includes('after'));
    expect(batches.flat()).toEqual(expected);
  });

  it('repeats a batch that fails until it succeeds, ever later up to a minute, and skips nothing', async () => {
    await put('a', 'b', 'c');
    const retries = 9;
    const times: number[] = [];
    const outcomes = Array.from({ length: retries }, () => failed);
    const invoke = async (event: unknown) => {
      times.push(nowMs);
      batches.push((event as DynamoDBStreamEvent).Records.map(keyOf));
      return outcomes.shift() ?? done;
    };
    // Half a second passes with each look at the clock.
    const now = (): number => {
      nowMs += 500;
      return nowMs;
    };
    await startSource({ batchSize: 2 }, { invoke, now });
    const again = Array.from({ length: retries + 1 }, () => ['a', 'b']);
    await handedOver(...again, ['c']);
    const waits = times.slice(1, retries + 1).map((time, at) => (time - (times[at] ?? 0)) / 1_000);
    const expected = [1, 2, 4, 8, 16, 32, 60, 60, 60];
    expect(waits.map((seconds, at) => seconds - (expected[at] ?? 0))).toEqual(expected.map(() => 0.5));
  });

  it('repeats from the first record that a function reports as failed', async () => {
    await put('a', 'b', 'c');
    const reported = { kind: 'result', result: null } as { kind: 'result'; result: unknown };
    const invoke = async (event: unknown) => {
      const { Records } = event as DynamoDBStreamEvent;
      const [, second, third] = Records;
      batches.push(Records.map(keyOf));
      nowMs += 60_000;
      const items = [third, second].map((one) => ({ itemIdentifier: one?.dynamodb?.SequenceNumber }));
      return batches.length === 1 ? { ...reported, result: { batchItemFailures: items } } : done;
    };
    const now = () => (nowMs += 60_000);
    await startSource({ reportsBatchItemFailures: true }, { invoke, now });
    await handedOver(['a', 'b', 'c'], ['b', 'c']);
  });

  it('reads a child shard when its parent has ended, and each shard in its order', async () => {
    await put('a', 'b', 'c', 'd');
    const now = () => (nowMs += 60_000);
    await startSource({ batchSize: 1 }, { streams: await splitAfter(2), now }, [failed, done, failed]);
    await handedOver(['a'], ['a'], ['b'], ['b'], ['c'], ['d']);
  });

  it('begins at LATEST with all shards that are there, and reads those that come from their start', async () => {
    await put('a', 'b');
    const split = await splitAfter(2);
    let hasChild = false;
    const shards: typeof split.shards = async (...args) =>
      (await split.shards(...args)).filter(({ ShardId }) => hasChild || ShardId === 'parent');
    const records: typeof split.records = (iterator, signal) =>
      hasChild
        ? split.records(iterator, signal)
        : Promise.resolve({ Records: [], NextShardIterator: iterator });
    await startSource({ startingPosition: 'LATEST' }, { streams: { ...split, shards, records } });
    await put('c');
    hasChild = true;
    await handedOver(['c']);
  });

  it('goes on behind the last record when its iterator has expired', async () => {
    const streams = overriding({
      records: async (iterator, signal) =>
        batches.length === 1 && expiries++ === 0 ? undefined : await engine.records(iterator, signal),
    });
    let expiries = 0;
    await startSource({}, { streams });
    await put('a');
    await handedOver(['a']);
    await waitUntil(() => expiries > 0);
    await put('b');
    await handedOver(['a'], ['b']);
  });

  it('reports each invocation, and says how the last one went', async () => {
    const reports: InvocationReport[] = [];
    const source = await startSource({}, { onInvocation: (report) => reports.push(report) }, [failed]);
    expect(source.lastResult).toBe('No records processed');
    await put('a');
    await waitUntil(() => reports.length === 1);
    expect([source.lastResult, source.runningInvocations]).toEqual(['PROBLEM: Function call failed', 0]);
    expect(reports).toEqual([
      { functionName: 'Watcher', records: [], outcome: failed, acknowledgedMessageIds: [] },
    ]);
    nowMs += 1_000;
    await waitUntil(() => reports.length === 2);
    expect(source.lastResult).toBe('OK');
  });

  it('stops at once while it waits for records, for its window or for another try', async () => {
    const { streams, reads } = counted();
    const idle = await startSource({}, { streams, pollIntervalMs: 600_000 });
    await idle.stop();
    await put('a');
    const windowed = await startSource({ batchingWindowMs: 300_000 }, { streams, pollIntervalMs: 600_000 });
    const failing = await startSource({}, { streams, pollIntervalMs: 600_000 }, [failed]);
    await handedOver(['a']);
    await Promise.all([windowed.stop(), failing.stop()]);
    const before = reads();
    await put('b');
    expect([reads() - before, batches, failures]).toEqual([0, [['a']], []]);
  });

  it('is refused a stream that is not there', async () => {
    await expect(
      startSource({ streamArn: streamArn.replaceAll(tableName, randomUUID()) }),
    ).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining('DescribeStream'),
    });
  });

  it('says that it cannot go on', async () => {
    const records = () => Promise.reject(new Error('gone'));
    await startSource({}, { streams: overriding({ records }) });
    await waitUntil(() => failures.length > 0);
    expect(failures).toEqual([new Error('gone')]);
  });
});

/** The engines have one shard for each table: here it is one that ends after so many records, and its child. */
async function splitAfter(count: number): Promise<StreamSourceOptions['streams']> {
  const { signal } = new AbortController();
  const [whole] = await engine.shards(streamArn, signal);
  const shardId = whole?.ShardId ?? '';
  const start = await engine.iterator(streamArn, shardId, 'TRIM_HORIZON', signal);
  const { Records: all = [] } = (await engine.records(start, signal)) ?? {};
  const parents = all.slice(0, count);
  const sequenceNumber = parents.at(-1)?.dynamodb.SequenceNumber ?? '';
  return {
    shards: async () => [
      { ShardId: 'child', ParentShardId: 'parent' },
      { ShardId: 'parent', ParentShardId: 'gone' },
    ],
    iterator: async (_arn, shard, position) => {
      if (shard === 'parent') return `parent ${String(position)}`;
      const after = position === 'TRIM_HORIZON' ? { sequenceNumber } : position;
      return await engine.iterator(streamArn, shardId, after, signal);
    },
    records: async (iterator) => {
      if (iterator === 'parent LATEST') return { Records: [] };
      return iterator.startsWith('parent') ? { Records: parents } : await engine.records(iterator, signal);
    },
  };
}
