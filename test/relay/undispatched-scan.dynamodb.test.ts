import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { at, storedRecord } from '../support/commits.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { ClientFaults, disableSdkRetries, dynamoDBError } from '../support/faults.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { createStreamedTable, dynamoDBRelay } from '../support/relay-subject.ts';

const later = new Date(at.getTime() + 1);

let client: DynamoDBClient;
let faults: ClientFaults;
let clock: MovingClock;
let tableName: string;

beforeEach(async () => {
  client = dynamoDBClient();
  faults = new ClientFaults(client);
  clock = new MovingClock();
  tableName = await createStreamedTable(client);
});

const storesWith = (settings: { maxReadUnitsPerSecond?: number; segments?: number }) =>
  dynamoDBRelay({ client, tableName, strategy: 'scan', clock, ...settings });

/** So many records of about 4 KB: half a read unit each. */
async function commitRecords(count: number): Promise<void> {
  const { committer } = storesWith({});
  const meter = new CapacityMeter();
  for (let index = 0; index < count; index += 1) {
    const message = outgoingMessage({ body: 'x'.repeat(3600) });
    await committer.commit(storedRecord(`m${index}`, [message]), meter);
  }
  faults.reset();
}

async function findAll(settings: { maxReadUnitsPerSecond: number; segments: number }, signal?: AbortSignal) {
  const meter = new CapacityMeter();
  const ids: string[] = [];
  const { undispatched } = storesWith(settings);
  for await (const { messageId } of undispatched.find(later, meter, signal)) ids.push(messageId);
  return { ids, readUnits: meter.total.readUnits };
}

describe('a scan', () => {
  it('takes no more read units a second than it may', async () => {
    await commitRecords(60);
    const begunAt = clock.now().getTime();
    const { ids, readUnits } = await findAll({ maxReadUnitsPerSecond: 5, segments: 1 });
    const seconds = (clock.now().getTime() - begunAt) / 1000;

    expect(ids).toHaveLength(60);
    expect(readUnits).toBeGreaterThan(25);
    // The last page is not waited for.
    expect(seconds).toBeGreaterThanOrEqual(readUnits / 5 - 1.5);
    expect(seconds).toBeLessThanOrEqual(readUnits / 5 + 0.1);
    expect(Math.max(...clock.sleepsMs)).toBeLessThanOrEqual(1500);
  });

  it('does not save up the time in which nothing was read', async () => {
    await commitRecords(20);
    const { undispatched } = storesWith({ maxReadUnitsPerSecond: 2, segments: 1 });
    const pages = () => faults.operations.filter((operation) => operation === 'Scan').length;
    let found = 0;
    for await (const _id of undispatched.find(later, new CapacityMeter())) {
      // Long work on the first record pays for the page that it came with, and for nothing more.
      if (found === 0) clock.pass(60_000);
      found += 1;
    }
    expect(found).toBe(20);
    expect(clock.sleepsMs.length).toBeGreaterThanOrEqual(pages() - 3);
  });

  it('does not wait when it is fast enough', async () => {
    await commitRecords(3);
    const { ids } = await findAll({ maxReadUnitsPerSecond: 1e6, segments: 1 });
    expect(ids).toHaveLength(3);
    expect(clock.sleepsMs.filter((ms) => ms > 1)).toEqual([]);
  });

  it('reads every segment once, beginning with one by chance', async () => {
    await commitRecords(3);
    const { ids } = await findAll({ maxReadUnitsPerSecond: 1e6, segments: 5 });
    expect(ids).toHaveLength(3);
    const segments = faults.requests.map(({ input }) => input.Segment);
    expect([...new Set(segments)]).toEqual([3, 4, 0, 1, 2]);
    expect(new Set(faults.requests.map(({ input }) => input.TotalSegments))).toEqual(new Set([5]));
  });

  it('ends while it waits, when the signal is aborted', async () => {
    await commitRecords(60);
    const controller = new AbortController();
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (durationMs) => {
      await sleep(durationMs);
      controller.abort();
    };
    const { ids } = await findAll({ maxReadUnitsPerSecond: 5, segments: 1 }, controller.signal);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(60);
    expect(clock.sleepsMs).toHaveLength(1);
  });

  it('that is throttled fails as such', async () => {
    disableSdkRetries(client);
    faults.fail('Scan', dynamoDBError('ProvisionedThroughputExceededException'));
    await expect(findAll({ maxReadUnitsPerSecond: 5, segments: 1 })).rejects.toMatchObject({
      code: 'Throttled',
    });
  });
});
