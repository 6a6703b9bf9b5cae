import { createHash } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runCommand } from '../../../lib/cli/main.ts';
import type { ShowValues } from '../../../lib/cli/show/options.ts';
import { showSaga } from '../../../lib/cli/show/show.ts';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { tableDefaults } from '../../../lib/dynamodb/table-defaults.ts';
import { newLease } from '../../../lib/kernel/lease.ts';
import { contributionValue } from '../../../lib/saga/contribution.ts';
import { commandIo, runCommandLine, runOnEngines } from '../../support/command-io.ts';
import { commitOf } from '../../support/commits.ts';
import { dynamoDBPorts } from '../../support/dynamodb-ports.ts';
import { createTable, dynamoDBClient, sqsClient } from '../../support/engines.ts';
import { ClientFaults } from '../../support/faults.ts';
import { listUnsent } from '../../support/listed-items.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { changeItem } from '../../support/raw-items.ts';
import { dynamoDBSagaLocks } from '../../support/saga-locks.ts';
import { startStackOutputs } from '../../support/stack-outputs-server.ts';
import { sagaWriter } from '../../support/stored-sagas.ts';

const at = '2026-01-02T03:04:05.678Z';
const longId = 'order '.repeat(100);
const state = {
  total: 100,
  big: 12345678901234567890n,
  tags: new Set(['a']),
  bytes: Uint8Array.of(1, 2),
  note: '\u001b[31m',
};
const stateAsJson = {
  total: 100,
  big: '12345678901234567890',
  tags: ['a'],
  bytes: 'AQI=',
  note: '\u001b[31m',
};

let client: DynamoDBClient;
let faults: ClientFaults;
let tableName: string;

beforeAll(async () => {
  client = dynamoDBClient();
  faults = new ClientFaults(client);
  tableName = await createTable();
  const write = sagaWriter(client, tableName);
  await write.saga('42', state);
  await write.saga('large', { note: 'n'.repeat(9_000) }, { stateVersion: 3, isCompressed: true });
  await write.saga(longId, { total: 7 });
  await write.saga('damaged');
  await changeItem(client, tableName, ['SAGA#OrderSaga#damaged', 'SAGA'], 'state', { S: 'text' });
  const locks = dynamoDBSagaLocks(client, tableName, new MovingClock());
  for (const [id, expected] of [
    ['locked', 'new'],
    ['42', 'existing'],
  ] as const) {
    const lease = newLease('owner-1', new Date('2020-01-01T00:00:00Z'), 30_000);
    await locks.tryAcquire({ name: 'OrderSaga', id }, lease, expected, new CapacityMeter());
  }
  await write.record('sent-1', { ofSaga: '42' });
  await write.record('sent-2', { ofSaga: '43' });
  await write.record('sent-3', {});
  await write.record('done-1', { isDispatched: true });
  // The relay has not taken it off yet.
  for (const messageId of ['sent-1', 'sent-2', 'sent-3', 'done-1'])
    await listUnsent(client, tableName, { messageId });
});

/** To a saga that was started at a time. */
async function append(id: string, createdAt: string, values: readonly unknown[]) {
  const identity = { saga: { name: 'OrderSaga', id }, createdAt: new Date(createdAt), key: 'notes' };
  const appended = values.map((value, ordinal) => {
    const own = { ...identity, endpoint: 'orders', messageId: 'm', ordinal };
    return { ...own, value: contributionValue(own, value), expiresAt: new Date('2036-01-01') };
  });
  await dynamoDBPorts({ client, sagaTable: tableName }).committer.commit(
    commitOf({ appended, at: new Date(at) }),
  );
}

type Given = Partial<ShowValues> & { readonly json?: boolean };

async function show(id: string, { json = false, ...given }: Given = {}, signal?: AbortSignal) {
  const { io, out, err } = commandIo(signal);
  const values = { saga: 'OrderSaga', id, table: tableName, maxReadUnits: 100_000, ...given };
  const clients = { dynamoDBClient: client, sqsClient: sqsClient() };
  const place = { table: { ...tableDefaults, tableName }, environment: {} };
  const exitCode = await runCommand('show', () => showSaga(values, clients, place, io), json, io);
  return { exitCode, out, err, object: json && out[0] ? JSON.parse(out[0]) : undefined };
}

const ofOutbox = () => ({ endpoint: 'orders', outboxTable: tableName });
const lease = { owner: 'owner-1', until: '2020-01-01T00:00:30.000Z', hasExpired: true };

describe('sagabox show', () => {
  it('prints a saga, and says before what reading it takes', async () => {
    faults.reset();
    const { exitCode, out, err } = await show('42');
    expect([exitCode, err]).toEqual([
      0,
      [`Reads an item of the table '${tableName}': 1 RCU for each 4 KB, at most 100 an item.`],
    ]);
    expect(faults.operations).toEqual(['GetItem']);
    expect(out.slice(0, 8)).toEqual([
      'saga      OrderSaga 42',
      'version   1',
      `created   ${at}`,
      `updated   ${at}`,
      expect.stringMatching(/^item {6}\d+ B$/),
      'lease     by owner-1 until 2020-01-01T00:00:30.000Z (expired)',
      'timeouts  PaymentTimedOut timeout-1, in a schedule',
      'state',
    ]);
    // Control characters of a state do nothing to the terminal.
    expect(out.join('\n')).toContain('  "note": "\\u001b[31m"');
    expect(JSON.parse(out.slice(8, -2).join('\n'))).toEqual(stateAsJson);
    expect(out.at(-1)).toBe('1 RCU');
  });

  it('writes one JSON object', async () => {
    const { exitCode, out, object } = await show('42', { json: true });
    expect([exitCode, out.length]).toEqual([0, 1]);
    expect(object).toEqual({
      saga: 'OrderSaga',
      id: '42',
      found: true,
      version: 1,
      stateVersion: 1,
      createdAt: at,
      updatedAt: at,
      lease,
      timeouts: [{ id: 'timeout-1', type: 'PaymentTimedOut', scheduled: true }],
      commitId: 'commit-1',
      itemBytes: expect.any(Number),
      isCompressed: false,
      state: stateAsJson,
      capacity: { readUnits: 1 },
    });
  });

  it('reads a compressed state, and tells the version of its form', async () => {
    const { object } = await show('large', { json: true });
    expect(object).toMatchObject({ stateVersion: 3, isCompressed: true, state: { note: 'n'.repeat(9_000) } });
    expect((await show('large')).out).toContain('version   1, its state in version 3');
  });

  it('finds a saga whose value is over 512 bytes, by the value and by the hash that a list tells', async () => {
    const { object } = await show(longId, { json: true });
    expect(object.state).toEqual({ total: 7 });
    const hash = createHash('sha256').update(longId).digest('hex');
    const byHash = await show(hash, { json: true });
    expect(byHash.object.state).toEqual({ total: 7 });
    expect(byHash.err[0]).toMatch(/^Reads 2 items/);
  });

  it.each([
    ['43', 'it has not started, or has completed. Names and ids are case sensitive', undefined],
    ['locked', 'its item is a lock for a message that may start it, held by owner-1', lease],
  ])('ends with 1 for %s, which is no saga', async (id, reason, lock) => {
    const { exitCode, out } = await show(id);
    expect(exitCode).toBe(1);
    expect(out[0]).toContain(`There is no 'OrderSaga' saga with id '${id}': ${reason}`);
    const { object, err } = await show(id, { json: true });
    expect(object).toMatchObject({ found: false, problem: out[0], ...(lock && { lock }) });
    expect(err.at(-1)).toBe(out[0]);
  });

  it('shows what can be read of a damaged saga, and ends with 1', async () => {
    const { exitCode, object } = await show('damaged', { json: true });
    expect(exitCode).toBe(1);
    expect(object).toMatchObject({ found: true, version: 1 });
    expect(object.problem).toMatch(/^UnreadableItem: .* \(it has no state\)/);
  });

  it('tells a missing table by its code', async () => {
    const { io, err } = commandIo();
    const place = { table: { ...tableDefaults, tableName: 'missing' }, environment: {} };
    const clients = { dynamoDBClient: client, sqsClient: sqsClient() };
    const work = () => showSaga({ saga: 'OrderSaga', id: '42' }, clients, place, io);
    expect(await runCommand('show', work, false, io)).toBe(1);
    expect(err.at(-1)).toMatch(/^TableNotFound: .*missing/);
  });
});

describe('sagabox show --records', () => {
  const ids = (object: { records: { records: { messageId: string; ofSaga: boolean }[] } }) =>
    object.records.records.map(({ messageId, ofSaga }) => `${messageId}${ofSaga ? ' *' : ''}`).toSorted();

  it.each(['stream', 'scan'] as const)('pending by %s marks those that the saga sent', async (strategy) => {
    const given = { ...ofOutbox(), records: 'pending', strategy } as const;
    const { exitCode, object, err } = await show('42', { ...given, json: true });
    expect(exitCode).toBe(0);
    expect(ids(object)).toEqual(['sent-1 *', 'sent-2', 'sent-3']);
    expect(object.records).toMatchObject({
      which: 'pending',
      endpoint: 'orders',
      complete: true,
      failures: [],
    });
    expect(object.capacity.readUnits).toBeGreaterThan(3);
    expect(err[1]).toMatch(
      strategy === 'stream' ? /^Queries the list of what waits in .* RCU/ : /^Scans the table .* RCU/,
    );
    const { out } = await show('42', given);
    expect(out).toContain("pending records of the endpoint 'orders': 3, of this saga (*): 1");
    expect(out).toContain(`*  sent-1  ${at}  1 to send -> billing`);
  });

  it.each(['pending', 'recent'] as const)(
    '%s by a scan take no more than what is said before',
    async (records) => {
      const given = { ...ofOutbox(), records, since: { days: 100_000 }, strategy: 'scan' } as const;
      const { object, err } = await show('42', { ...given, json: true });
      expect(err[1]).toContain('0.5 RCU for each 4 KB (');
      expect(err[1]).toContain('), then 1 RCU for each 4 KB of each record that is not dispatched yet. ');
      // Its items have less than 4 KB together.
      const ofTable = 0.5;
      const ofSaga = 1;
      const ofPending = 3;
      expect(object.capacity.readUnits).toBeLessThanOrEqual(ofSaga + ofTable + ofPending);
    },
  );

  it('recent are the dispatched ones too: of the saga is what was stored with its last change', async () => {
    const since = { days: 100_000 };
    const given = { ...ofOutbox(), records: 'recent', since } as const;
    const { object } = await show('42', { ...given, json: true });
    expect(ids(object)).toEqual(['done-1 *', 'sent-1 *', 'sent-2', 'sent-3']);
    expect((await show('42', given)).out).toContain(`*  done-1  ${at}  0 dispatched, ${at}`);
    const { object: none } = await show('42', { ...given, since: { minutes: 1 }, json: true });
    expect(ids(none)).toEqual([]);
  });

  it('finds the records of a saga that has completed', async () => {
    const { exitCode, object } = await show('43', {
      ...ofOutbox(),
      records: 'pending',
      strategy: 'stream',
      json: true,
    });
    expect(exitCode).toBe(1);
    expect(ids(object)).toEqual(['sent-1', 'sent-2 *', 'sent-3']);
  });

  it('ends at its budget, and says so', async () => {
    const given = { ...ofOutbox(), records: 'pending', strategy: 'stream', maxTotalReadUnits: 1 } as const;
    const { exitCode, out, object } = await show('42', { ...given, json: true });
    expect([exitCode, object.records.complete]).toEqual([0, false]);
    expect(out[0]).toContain('"complete":false');
    expect((await show('42', given)).out.join('\n')).toContain(
      'there may be more: raise --max-total-read-units',
    );
  });
});

// Behind what counts the units of reading the table.
describe('sagabox show --appended', () => {
  it('has the values that are not collected, of this start of the saga', async () => {
    await append('42', at, ['first', { by: 'x', big: 12345678901234567890n }]);
    await append('42', '2020-01-01T00:00:00.000Z', ['of an earlier one']);
    const { object, err } = await show('42', { appended: 'notes', json: true });
    expect(object.appended).toEqual({
      key: 'notes',
      values: ['first', { by: 'x', big: '12345678901234567890' }],
      bytes: expect.any(Number),
      complete: true,
    });
    expect(object.capacity.readUnits).toBe(2);
    expect(err[1]).toBe(
      'Queries what is stored beside the saga: 1 RCU for each 4 KB. This run ends with the read that reaches 250 RCU.',
    );
    const { out } = await show('42', { appended: 'notes' });
    expect(out).toContainEqual(expect.stringMatching(/^2 appended under 'notes', \d+ B, not collected yet$/));
    expect(out).toContain('"first"');
    const none = await show('large', { appended: 'notes', json: true });
    expect(none.object.appended).toMatchObject({ values: [], complete: true });
    expect((await show('43', { appended: 'notes', json: true })).object).not.toHaveProperty('appended');
  });

  it('has those of a saga whose value is over 512 bytes, by the value and by its hash', async () => {
    await append(longId, at, ['first']);
    const hash = createHash('sha256').update(longId).digest('hex');
    for (const id of [longId, hash]) {
      const { object } = await show(id, { appended: 'notes', json: true });
      expect(object.appended).toMatchObject({ values: ['first'], complete: true });
    }
  });

  it('refuses a key that nothing can have', async () => {
    const { exitCode, err } = await show('42', { appended: 'a#b' });
    expect([exitCode, err.at(-1)]).toEqual([1, expect.stringMatching(/^InvalidContribution: .*without '#'/)]);
  });

  it('ends at its budget, and says so', async () => {
    const large = Array.from({ length: 5 }, () => 'n'.repeat(300_000));
    await append('large', at, large);
    const given = { appended: 'notes', maxTotalReadUnits: 50 };
    const { object } = await show('large', { ...given, json: true });
    // All of the page that is paid for: DynamoDB ends it at 1 MB.
    expect(object.appended.complete).toBe(false);
    expect(object.appended.values.length).toBeGreaterThanOrEqual(3);
    expect((await show('large', given)).out.join('\n')).toContain('there may be more: raise --max-total');
  });
});

describe('the command line of sagabox show', () => {
  it.each([
    [['show'], "missing required argument 'saga'"],
    [['show', 'OrderSaga'], "missing required argument 'id'"],
    [['show', 'OrderSaga', '42'], 'error: pass --table <name>, or --stack <name>'],
    [['show', 'OrderSaga', '42', '--stack', 'Shop'], 'error: --stack needs --endpoint <name>'],
    [['show', 'Order#Saga', '42', '--table', 't'], 'error: saga: "Order#Saga" cannot be part of a key'],
    [
      ['show', 'OrderSaga', '42', '--table', 't', '--records', 'pending'],
      'error: --records needs --endpoint <name>',
    ],
    [['show', 'OrderSaga', '42', '--table', 't', '--records', 'all'], 'Allowed choices are pending, recent.'],
    [
      ['show', 'OrderSaga', '42', '--table', 't', '--records', 'pending', '--endpoint', 'orders'],
      'error: outboxTable',
    ],
    [
      ['show', 'OrderSaga', '42', '--table', 't', '--partition-key', 'state'],
      'sagabox stores something else',
    ],
  ])('refuses %j', async (args, reason) => {
    const inRegion = jest.replaceProperty(process, 'env', { ...process.env, AWS_REGION: 'us-east-1' });
    const { exitCode, out, err } = await runCommandLine(...args).finally(() => inRegion.restore());
    expect([exitCode, out]).toEqual([2, []]);
    expect(err).toContain(reason);
  });

  it('takes tables and keys from the outputs of a stack', async () => {
    const environment = {
      SAGABOX_SAGA_TABLE: JSON.stringify({ tableName }),
      SAGABOX_OUTBOX_TABLE: tableName,
    };
    const output = JSON.stringify({ sagaboxEndpoint: 'orders', queueUrl: 'https://q', environment });
    const cloudFormation = await startStackOutputs({ Shop: [[output]] });
    try {
      const args = [
        'show',
        'OrderSaga',
        '42',
        '--stack',
        'Shop',
        '--endpoint',
        'orders',
        '--records',
        'pending',
        '--strategy',
        'stream',
        '--json',
      ];
      const { exitCode, out, err } = await runOnEngines(args, {
        AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.endpoint,
      });
      expect(exitCode).toBe(0);
      expect(err).toContain(`Queries the list of what waits in '${tableName}'`);
      expect(JSON.parse(out)).toMatchObject({ found: true, records: { which: 'pending' } });
    } finally {
      await cloudFormation.stop();
    }
  });
});
