import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { listSagas } from '../../../lib/cli/list/list.ts';
import type { ListValues } from '../../../lib/cli/list/options.ts';
import { runCommand } from '../../../lib/cli/main.ts';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { tableDefaults } from '../../../lib/dynamodb/table-defaults.ts';
import { newLease } from '../../../lib/kernel/lease.ts';
import { commandIo, runCommandLine, runOnEngines } from '../../support/command-io.ts';
import { createTable, dynamoDBClient } from '../../support/engines.ts';
import { ClientFaults, dynamoDBError } from '../../support/faults.ts';
import { listUnsent } from '../../support/listed-items.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { dynamoDBSagaLocks } from '../../support/saga-locks.ts';
import { startStackOutputs } from '../../support/stack-outputs-server.ts';
import { sagaWriter } from '../../support/stored-sagas.ts';

const longId = 'order '.repeat(100);
const ids = ['1', '2', '3', '4', '5'];

let client: DynamoDBClient;
let faults: ClientFaults;
let tableName: string;

beforeAll(async () => {
  client = dynamoDBClient();
  faults = new ClientFaults(client);
  tableName = await createTable();
  const write = sagaWriter(client, tableName);
  for (const id of ids) await write.saga(id, { note: 'n'.repeat(3_000) });
  await write.saga(longId, {}, { name: 'Long', stateVersion: 2 });
  await write.saga('9', {}, { name: 'OrderSagas' });
  for (const id of ['sent-1', 'sent-2']) await write.record(id, {});
  await listUnsent(client, tableName, { messageId: 'm6', partition: 'SAGA#OrderSaga#6', entryKey: 'a1' });
  const lease = newLease('owner-1', new Date('2020-01-01T00:00:00Z'), 30_000);
  const locks = dynamoDBSagaLocks(client, tableName, new MovingClock());
  await locks.tryAcquire({ name: 'OrderSaga', id: 'locked' }, lease, 'new', new CapacityMeter());
});

type Given = Partial<ListValues> & { readonly json?: boolean };

async function list({ json = true, ...given }: Given = {}, signal?: AbortSignal) {
  const { io, out, err } = commandIo(signal);
  const values = { saga: 'OrderSaga', maxReadUnits: 100_000, ...given };
  const table = { ...tableDefaults, tableName };
  const exitCode = await runCommand('list', () => listSagas(values, client, table, io), json, io);
  return { exitCode, out, err, object: json && out[0] ? JSON.parse(out[0]) : undefined };
}

const idsOf = (object: { sagas: { id: string }[] }) => object.sagas.map(({ id }) => id);

describe('sagabox list', () => {
  it('lists the sagas of a name alone: no others, no records, nothing of the list of what waits, no locks', async () => {
    const { exitCode, object } = await list();
    expect(exitCode).toBe(0);
    expect(idsOf(object).toSorted()).toEqual(ids);
    expect(object).toMatchObject({ saga: 'OrderSaga', complete: true });
    expect(object).not.toHaveProperty('nextToken');
    expect(object.sagas[0]).toEqual({
      id: expect.any(String),
      version: 1,
      stateVersion: 1,
      createdAt: '2026-01-02T03:04:05.678Z',
      updatedAt: '2026-01-02T03:04:05.678Z',
      timeouts: [{ id: 'timeout-1', type: 'PaymentTimedOut', scheduled: true }],
    });
    expect(object.capacity.readUnits).toBeGreaterThan(1);
  });

  it('says before what the scan takes', async () => {
    faults.reset();
    faults.answer('DescribeTable', { Table: { ItemCount: 12_345, TableSizeBytes: 40_960_000_000 } });
    const { err } = await list({ maxTotalReadUnits: 300 });
    expect(faults.operations.slice(0, 2)).toEqual(['DescribeTable', 'Scan']);
    expect(err).toEqual([
      `Scans the table '${tableName}', whatever it holds: about 5,000,000 RCU, $0.63 on demand in us-east-1 as of ` +
        '2025-08-28, for all of it (12,345 items, 38.1 GB, as DynamoDB counted within the last six hours). ' +
        'This run ends with the read that reaches 300 RCU.',
    ]);
    faults.answer('DescribeTable', { Table: { ItemCount: 0, TableSizeBytes: 0 } });
    expect((await list()).err[0]).toContain('0.5 RCU for each 4 KB (DynamoDB has not counted its items yet)');
  });

  it('lists for those too who may not describe the table', async () => {
    faults.fail('DescribeTable', dynamoDBError('AccessDeniedException'));
    const { exitCode, err } = await list();
    expect(exitCode).toBe(0);
    expect(err[0]).toContain('its size is not known: dynamodb:DescribeTable is not allowed');
  });

  it('lists those alone whose state has a value, compressed or not, and counts what it cannot read', async () => {
    const write = sagaWriter(client, tableName);
    const states = {
      1: { status: 'compensationFailed' },
      2: { status: 'running', note: 'compensationFailed' },
      3: {},
    };
    for (const [id, state] of Object.entries(states))
      await write.saga(`trip-${id}`, state, { name: 'TripSaga' });
    const packed = { status: 'compensationFailed', note: 'n'.repeat(3_000) };
    await write.saga('trip-4', packed, { name: 'TripSaga', isCompressed: true });
    await write.saga('trip-5', { status: 7 }, { name: 'TripSaga' });
    await client.send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: { PK: { S: 'SAGA#TripSaga#trip-3' }, SK: { S: 'SAGA' } },
        UpdateExpression: 'SET #state = :damaged',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':damaged': { N: '1' } },
      }),
    );
    const listed = async (value: string, given: Given = {}) => {
      const state = { property: 'status', value };
      return (await list({ saga: 'TripSaga', state, ...given })).object;
    };
    expect(idsOf(await listed('compensationFailed')).toSorted()).toEqual(['trip-1', 'trip-4']);
    expect(idsOf(await listed('7'))).toEqual(['trip-5']);
    expect(await listed('gone')).toMatchObject({ sagas: [], unreadable: 1, complete: true });
    const first = await listed('compensationFailed', { limit: 1 });
    const next = await listed('compensationFailed', { limit: 5, startingToken: first.nextToken });
    expect([...idsOf(first), ...idsOf(next)].toSorted()).toEqual(['trip-1', 'trip-4']);
    // Each that cannot be read is counted on one page, however the pages are cut.
    let unreadable = 0;
    let startingToken: string | undefined;
    do {
      const page = await listed('compensationFailed', {
        limit: 1,
        ...(startingToken !== undefined && { startingToken }),
      });
      unreadable += page.unreadable ?? 0;
      startingToken = page.nextToken;
    } while (startingToken !== undefined);
    expect(unreadable).toBe(1);
    const { out } = await list({
      saga: 'TripSaga',
      state: { property: 'status', value: 'gone' },
      json: false,
    });
    expect(out.at(-1)).toBe('left out, as their states cannot be read: 1');
    expect((await list({ saga: 'TripSaga' })).object).not.toHaveProperty('unreadable');
  });

  it('lists those alone that nothing has changed for so long, or that do not tell', async () => {
    const write = sagaWriter(client, tableName);
    const hourAgo = new Date(Date.now() - 3_600_000);
    const changed = {
      'text-old': { S: hourAgo.toISOString() },
      'text-new': { S: new Date().toISOString() },
      'seconds-old': { N: String(Math.floor(hourAgo.getTime() / 1_000)) },
      'seconds-new': { N: String(Math.floor(Date.now() / 1_000)) },
    };
    for (const [id, updatedAt] of Object.entries({
      ...changed,
      unknown: { BOOL: true as const },
      wrong: { S: 'x' },
    })) {
      await write.saga(id, { status: id.slice(-3) }, { name: 'PollSaga' });
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: { PK: { S: `SAGA#PollSaga#${id}` }, SK: { S: 'SAGA' } },
          UpdateExpression: 'SET updatedAt = :at',
          ExpressionAttributeValues: { ':at': updatedAt },
        }),
      );
    }
    const listed = async (given: Given) =>
      idsOf((await list({ saga: 'PollSaga', ...given })).object).toSorted();
    expect(await listed({ olderThan: { minutes: 30 } })).toEqual([
      'seconds-old',
      'text-old',
      'unknown',
      'wrong',
    ]);
    expect(await listed({ olderThan: { hours: 2 } })).toEqual(['unknown', 'wrong']);
    const state = { property: 'status', value: 'old' };
    expect(await listed({ olderThan: { minutes: 30 }, state })).toEqual(['seconds-old', 'text-old']);
  });

  it.each([1, 2, 3, 5])('in pages of %i lists each saga once', async (limit) => {
    const listed: string[] = [];
    let startingToken: string | undefined;
    for (let pages = 0; pages < 10; pages += 1) {
      const { object } = await list({ limit, ...(startingToken !== undefined && { startingToken }) });
      expect(object.sagas.length).toBeLessThanOrEqual(limit);
      listed.push(...idsOf(object));
      startingToken = object.nextToken;
      expect(object.complete).toBe(startingToken === undefined);
      if (startingToken === undefined) break;
    }
    expect(listed.toSorted()).toEqual(ids);
  });

  it('ends at its budget, and goes on from there', async () => {
    const listed: string[] = [];
    let startingToken: string | undefined;
    let pages = 0;
    do {
      const { object } = await list({
        maxTotalReadUnits: 1,
        ...(startingToken !== undefined && { startingToken }),
      });
      listed.push(...idsOf(object));
      startingToken = object.nextToken;
      pages += 1;
    } while (startingToken !== undefined && pages < 20);
    expect(listed.toSorted()).toEqual(ids);
    expect(pages).toBeGreaterThan(1);
  });

  it('prints a table, with the hash of a long id', async () => {
    const { out } = await list({ saga: 'Long', json: false });
    expect(out).toEqual([
      expect.stringMatching(/^id +version {2}state version {2}updated +lease {2}timeouts$/),
      expect.stringMatching(/^[0-9a-f]{64} \(hash\) +1 +2 {2}2026-01-02T03:04:05\.678Z +1$/),
      expect.stringMatching(/^sagas: 1, [\d.]+ RCU; the end of the table$/),
    ]);
    const { out: none, exitCode } = await list({ saga: 'None', json: false });
    expect([exitCode, none]).toEqual([0, [expect.stringMatching(/^sagas: 0, /)]]);
  });

  it('tells how to go on', async () => {
    const { out } = await list({ limit: 2, json: false });
    expect(out.at(-1)).toMatch(/^sagas: 2, [\d.]+ RCU; more: --starting-token [\w-]+$/);
  });

  it('ends with 1 when it is interrupted', async () => {
    const { exitCode, object, err } = await list({}, AbortSignal.abort());
    const problem = 'Interrupted: there may be more sagas';
    expect([exitCode, object.complete, object.problem, err.at(-1)]).toEqual([1, false, problem, problem]);
    const { out } = await list({ json: false }, AbortSignal.abort());
    expect(out).toEqual(['sagas: 0, 0 RCU; more', problem]);
  });

  it.each(['token', '', Buffer.from('["a"]').toString('base64url'), Buffer.from('{}').toString('base64url')])(
    'refuses the token %j',
    async (startingToken) => {
      const { exitCode, err } = await list({ startingToken });
      expect([exitCode, err[0]]).toEqual([
        2,
        expect.stringContaining('--starting-token: it is not what a page ended with'),
      ]);
    },
  );

  it.each([
    [['list'], "missing required argument 'saga'"],
    [['list', 'OrderSaga'], 'error: pass --table <name>, or --stack <name>'],
    [['list', 'Order#', '--table', 't'], 'cannot be part of a key'],
    [['list', 'OrderSaga', '--table', 't', '--limit', '0'], 'Expected a whole number from 1'],
  ])('refuses %j', async (args, reason) => {
    const { exitCode, err } = await runCommandLine(...args);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(reason)]);
  });

  it('takes the table from the outputs of a stack', async () => {
    const environment = {
      SAGABOX_SAGA_TABLE: JSON.stringify({ tableName }),
      SAGABOX_OUTBOX_TABLE: tableName,
    };
    const output = JSON.stringify({ sagaboxEndpoint: 'orders', queueUrl: 'https://q', environment });
    const cloudFormation = await startStackOutputs({ Shop: [[output]] });
    try {
      const args = ['list', 'OrderSaga', '--stack', 'Shop', '--endpoint', 'orders', '--json'];
      const { exitCode, out, err } = await runOnEngines(args, {
        AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.endpoint,
      });
      expect([exitCode, err]).toEqual([0, expect.stringContaining(tableName)]);
      expect(idsOf(JSON.parse(out)).toSorted()).toEqual(ids);
    } finally {
      await cloudFormation.stop();
    }
  });
});
