import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand } from '../../../lib/cli/main.ts';
import type { RelayValues } from '../../../lib/cli/relay/options.ts';
import { relayByCommand } from '../../../lib/cli/relay/relay.ts';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { commandIo, runOnEngines } from '../../support/command-io.ts';
import { storedRecord } from '../../support/commits.ts';
import { commitToSaga, entryOf } from '../../support/embedded-commits.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../../support/engines.ts';
import { ClientFaults, disableSdkRetries, dynamoDBError } from '../../support/faults.ts';
import { countListed, listUnsent } from '../../support/listed-items.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { ParameterStore } from '../../support/parameter-store.ts';
import { drain } from '../../support/queue.ts';
import { changeItem } from '../../support/raw-items.ts';
import { dynamoDBRelay } from '../../support/relay-subject.ts';
import { cells } from '../../support/samples.ts';
import { startStackOutputs } from '../../support/stack-outputs-server.ts';

let dynamoDB: DynamoDBClient;
let sqs: SQSClient;
let faults: ClientFaults;
let tableName: string;
let billing: string;

beforeEach(async () => {
  [dynamoDB, sqs] = [dynamoDBClient(), sqsClient()];
  faults = new ClientFaults(dynamoDB);
  tableName = await createTable();
  billing = await createQueue();
});

/** Left by a function that died, and listed by the watcher. */
async function commit(...messageIds: string[]): Promise<void> {
  const { committer } = dynamoDBRelay({ client: dynamoDB, tableName, strategy: 'scan' });
  for (const id of messageIds) {
    await committer.commit(storedRecord(id, [outgoingMessage({ id: `of-${id}` })]), new CapacityMeter());
    await listUnsent(dynamoDB, tableName, { messageId: id });
  }
}

type Given = Partial<RelayValues> & { readonly json?: boolean };

async function run({ json = false, ...given }: Given = {}, signal?: AbortSignal) {
  const { io, out, err } = commandIo(signal);
  const values = {
    endpoint: 'orders',
    table: tableName,
    destination: { billing },
    strategy: 'stream' as const,
    ...given,
  };
  const clients = { dynamoDBClient: dynamoDB, sqsClient: sqs };
  const exitCode = await runCommand('relay', () => relayByCommand(values, clients, io), json, io);
  return { exitCode, out, err };
}

const byMessageId = (a: { messageId: string }, b: { messageId: string }) =>
  a.messageId.localeCompare(b.messageId);
const arrivedIds = async () => (await drain(sqs, billing)).map(({ id }) => id).toSorted();

describe('sagabox relay', () => {
  it.each(['stream', 'scan'] as const)('by %s dispatches what waits, and sums it up', async (strategy) => {
    await commit('m1', 'm2');
    const { exitCode, out, err } = await run({ strategy, maxReadUnits: 100_000 });
    expect([exitCode, err]).toEqual([0, []]);
    expect(out).toEqual(['2 dispatched, 0 held by another run, 0 settled meanwhile, 0 failed']);
    expect(await arrivedIds()).toEqual(['of-m1', 'of-m2']);
  });

  const places = [
    ['stream', 'a table of its own', 0],
    ['stream', 'the outbox table', 0],
    ['scan', 'a table of its own', 128],
    ['scan', 'the outbox table', 64],
  ] as const;

  it.each(cells(places, ([strategy, place]) => (strategy === 'scan') === (place === 'the outbox table')))(
    'by %s dispatches what is pending in sagas in %s, with %i scans',
    async (strategy, place, scans) => {
      await commit('m1');
      const sagaTable = place === 'the outbox table' ? tableName : await createTable();
      const stores = dynamoDBRelay({ client: dynamoDB, tableName: sagaTable, strategy: 'scan' });
      await commitToSaga(stores, { messageId: 'm2', operations: [outgoingMessage({ id: 'of-m2' })] });
      const { sagaItem } = await entryOf(stores, 'm2');
      await listUnsent(dynamoDB, sagaTable, {
        messageId: 'm2',
        ...(sagaItem && { partition: sagaItem.partition, entryKey: sagaItem.key }),
      });
      const given = { strategy, maxReadUnits: 100_000, ...(sagaTable !== tableName && { sagaTable }) };
      const { out } = await run({ ...given, dryRun: true });
      expect(out.map((line) => line.split('  ')[0]).toSorted()).toEqual([
        '2 to dispatch, 0 held by another run, 0 unreadable',
        'm1',
        'm2',
      ]);
      faults.reset();
      expect((await run(given)).out[0]).toMatch(/^2 dispatched/);
      // Each of the 64 segments of a table is read once.
      expect(faults.operations.filter((operation) => operation === 'Scan')).toHaveLength(scans);
      expect(await arrivedIds()).toEqual(['of-m1', 'of-m2']);
    },
  );

  it.each([
    ['scans the saga table of the environment of an endpoint with an embedded outbox', 'true', 1],
    ['scans no saga table of other endpoints', undefined, 0],
  ])('%s', async (_name, embedded, dispatched) => {
    const sagaTable = await createTable();
    const stores = dynamoDBRelay({ client: dynamoDB, tableName: sagaTable, strategy: 'scan' });
    await commitToSaga(stores, { messageId: 'm1', operations: [outgoingMessage()] });
    const environment = {
      SAGABOX_SAGA_TABLE: sagaTable,
      SAGABOX_EMBEDDED_OUTBOX: embedded,
      SAGABOX_DESTINATIONS: JSON.stringify({ billing }),
    };
    const values = { endpoint: 'orders', table: tableName, strategy: 'scan', maxReadUnits: 100_000 } as const;
    const clients = { dynamoDBClient: dynamoDB, sqsClient: sqs };
    const { lines } = await relayByCommand(values, clients, commandIo().io, environment);
    expect(lines()[0]).toMatch(new RegExp(`^${dispatched} dispatched`));
  });

  it('takes off the list what it dispatched, and nothing that it could not', async () => {
    await commit('m1');
    await run({ destination: {} });
    expect(await countListed(dynamoDB, tableName)).toBe(1);
    await run();
    expect(await countListed(dynamoDB, tableName)).toBe(0);
  });

  it('reads the list by stream, and by a scan what no watcher listed, too', async () => {
    const { committer } = dynamoDBRelay({ client: dynamoDB, tableName, strategy: 'scan' });
    await committer.commit(storedRecord('m1', [outgoingMessage({ id: 'of-m1' })]), new CapacityMeter());
    expect((await run({ strategy: 'stream' })).out[0]).toMatch(/^0 dispatched/);
    expect((await run({ strategy: 'scan', maxReadUnits: 100_000 })).out[0]).toMatch(/^1 dispatched/);
    expect(await arrivedIds()).toEqual(['of-m1']);
  });

  it('tells its progress', async () => {
    await commit(...Array.from({ length: 100 }, (_, index) => `m${index}`));
    const { err } = await run();
    expect(err).toEqual(['100 dispatched, 0 held by another run, 0 settled meanwhile, 0 failed']);
  });

  it('writes one JSON object', async () => {
    await commit('m1');
    const { out } = await run({ json: true });
    expect(out).toHaveLength(1);
    expect(JSON.parse(out[0] ?? '')).toEqual({
      endpoint: 'orders',
      dryRun: false,
      found: 1,
      dispatched: 1,
      held: 0,
      postponed: 0,
      settled: 0,
      failed: 0,
      complete: true,
      capacity: { readUnits: expect.any(Number), writeUnits: expect.any(Number) },
      failures: [],
    });
  });

  it('counts what failed in its JSON object, and tells each with its problem', async () => {
    await commit('m1', 'm2');
    const { exitCode, out } = await run({ json: true, destination: {} });
    expect(exitCode).toBe(1);
    const { failed, failures } = JSON.parse(out[0] ?? '');
    expect(failed).toBe(2);
    const failure = { code: 'Configuration', problem: expect.stringMatching(/^destination 'billing': /) };
    expect(failures.toSorted(byMessageId)).toEqual([
      { messageId: 'm1', ...failure },
      { messageId: 'm2', ...failure },
    ]);
  });

  it('--dry-run tells what it would dispatch, and takes nothing', async () => {
    await commit('m1');
    const { exitCode, out } = await run({ dryRun: true });
    expect(exitCode).toBe(0);
    expect(out).toEqual([
      'm1  2026-01-02T03:04:05.678Z  1 -> billing',
      '1 to dispatch, 0 held by another run, 0 unreadable',
    ]);
    const json = await run({ dryRun: true, json: true });
    expect(JSON.parse(json.out[0] ?? '')).toEqual({
      endpoint: 'orders',
      dryRun: true,
      waiting: 1,
      held: 0,
      failed: 0,
      complete: true,
      capacity: { readUnits: expect.any(Number), writeUnits: 0 },
      records: [
        { messageId: 'm1', storedAt: '2026-01-02T03:04:05.678Z', operations: 1, destinations: ['billing'] },
      ],
      failures: [],
    });
    expect(await arrivedIds()).toEqual([]);
    expect(faults.operations).not.toContain('UpdateItem');
    expect(await run()).toMatchObject({ exitCode: 0 });
  });

  it('ends with 1 when a record cannot be dispatched, and tells why', async () => {
    await commit('m1');
    const { exitCode, out } = await run({ destination: {} });
    expect(exitCode).toBe(1);
    expect(out[0]).toMatch(/^m1: destination 'billing': it is not configured/);
    expect(out[1]).toMatch(/1 failed$/);
  });

  it.each([
    ['for an hour', 60, false, 'held', '0 to dispatch, 1 held by another run, 0 unreadable'],
    [
      'that postpones for an hour',
      60,
      true,
      'postponed',
      '1 to dispatch, 0 held by another run, 0 unreadable',
    ],
    ['that ended an hour ago', -60, false, undefined, '1 to dispatch, 0 held by another run, 0 unreadable'],
  ] as const)('--dry-run tells of a lease %s', async (_what, minutes, postponed, reason, summary) => {
    await commit('m1');
    const { undispatched } = dynamoDBRelay({ client: dynamoDB, tableName, strategy: 'scan' });
    const until = new Date(Date.now() + minutes * 60_000);
    const lease = { owner: 'another run', until, ...(postponed && { postponed }) };
    await undispatched.claim({ messageId: 'm1' }, lease, new Date(0), new CapacityMeter());
    const { out } = await run({ dryRun: true });
    expect(out.at(-1)).toBe(summary);
    expect(out[0]?.includes(`until ${until.toISOString()})`)).toBe(reason !== undefined);
    const json = JSON.parse((await run({ dryRun: true, json: true })).out[0] ?? '');
    const isHeld = reason === 'held';
    expect([json.waiting, json.held]).toEqual(isHeld ? [0, 1] : [1, 0]);
    expect(json.records[0].leased).toEqual(reason && { until: until.toISOString(), reason });
  });

  it.each([
    [{ partitionKey: 'pk2' }, 2],
    [{ sortKey: 'sk2' }, 2],
    [{ partitionKey: 'PK', sortKey: 'SK' }, 0],
  ])('does not search a table by other keys than its own: %j gives %i', async (keys, expected) => {
    await commit('m1');
    for (const [strategy, dryRun] of [
      ['stream', true],
      ['scan', false],
    ] as const) {
      const { exitCode, err } = await run({ ...keys, strategy, maxReadUnits: 100_000, dryRun });
      expect(exitCode).toBe(expected);
      expect(err.join().includes('--partition-key, --sort-key: they are not the keys')).toBe(expected === 2);
    }
  });

  it('of a table that is not there ends with 1', async () => {
    const { exitCode, out } = await run({ table: 'none' });
    expect([exitCode, out.at(-1)]).toEqual([1, expect.stringContaining('does not exist (used: none)')]);
  });

  it('--dry-run ends with 1 when a record cannot be read', async () => {
    await commit('m1', 'm2');
    const damaged = { B: new Uint8Array([1]) };
    await changeItem(dynamoDB, tableName, ['OUTBOX#orders#m1', 'RECORD'], 'operations', damaged);
    const { exitCode, out } = await run({ dryRun: true });
    expect([exitCode, out.at(-1)]).toEqual([1, '1 to dispatch, 0 held by another run, 1 unreadable']);
    const { failed, failures } = JSON.parse((await run({ dryRun: true, json: true })).out[0] ?? '');
    expect([failed, failures]).toEqual([
      1,
      [{ messageId: 'm1', code: 'UnreadableItem', problem: expect.any(String) }],
    ]);
  });

  it.each([true, false])('ends with 1 when the search fails (dry run: %s)', async (dryRun) => {
    disableSdkRetries(dynamoDB);
    faults.fail('Query', dynamoDBError('ThrottlingException'));
    const { exitCode, out } = await run({ dryRun });
    expect(exitCode).toBe(1);
    expect(out.at(-1)).toContain('The search ended early: SagaboxError: DynamoDB did not take Query');
  });

  it('takes at once what a run before could not dispatch', async () => {
    await commit('m1');
    expect(await run({ destination: {} })).toMatchObject({ exitCode: 1 });
    const { exitCode, out } = await run();
    expect(exitCode).toBe(0);
    expect(out).toEqual(['1 dispatched, 0 held by another run, 0 settled meanwhile, 0 failed']);
  });

  it('that is interrupted ends with 1, and tells so beside the JSON too', async () => {
    await commit('m1');
    const { exitCode, out, err } = await run({ json: true }, AbortSignal.abort());
    expect([exitCode, err]).toEqual([1, ['Interrupted: there may be more records']]);
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ dispatched: 0, complete: false });
    expect(await run()).toMatchObject({ exitCode: 0 });
  });

  it('refuses what the configuration refuses', async () => {
    const { exitCode, err } = await run({ endpoint: 'a#b' });
    expect(exitCode).toBe(2);
    expect(err[0]).toContain('cannot be part of a key');
  });

  it('is configured by the environment of a function', async () => {
    await commit('m1');
    const { exitCode, out } = await runOnEngines(['relay', '--strategy', 'stream', '--json'], {
      SAGABOX_ENDPOINT: 'orders',
      SAGABOX_OUTBOX_TABLE: tableName,
      SAGABOX_DESTINATIONS: JSON.stringify({ billing }),
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ endpoint: 'orders', dispatched: 1, complete: true });
    expect(await arrivedIds()).toEqual(['of-m1']);
  });
});

describe('sagabox relay --stack', () => {
  let server: Awaited<ReturnType<typeof startStackOutputs>>;

  beforeEach(async () => {
    const environment = {
      SAGABOX_ENDPOINT: 'orders',
      SAGABOX_OUTBOX_TABLE: tableName,
      SAGABOX_DESTINATIONS: JSON.stringify({ billing }),
    };
    const output = { sagaboxEndpoint: 'orders', queueUrl: billing, environment };
    server = await startStackOutputs({ Shop: [[JSON.stringify(output)]] });
  });

  afterEach(() => server.stop());

  const relayed = (...args: string[]) =>
    runOnEngines(['relay', '--stack', 'Shop', ...args], {
      AWS_ENDPOINT_URL_CLOUDFORMATION: server.endpoint,
      SAGABOX_DESTINATIONS: '{"billing":"https://elsewhere.example"}',
    });

  it("takes table and destinations from the stack's outputs, not from its own environment", async () => {
    await commit('m1');
    const given = ['--endpoint', 'orders', '--strategy', 'stream', '--json'];
    const { exitCode, out, err } = await relayed(...given);
    expect([exitCode, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ endpoint: 'orders', dispatched: 1, failed: 0 });
    expect(await arrivedIds()).toEqual(['of-m1']);
  });

  it('reads settings that the outputs only refer to, from their parameters', async () => {
    const path = '/sagabox/Shop/Orders-Settings-1a2b3c4d/SAGABOX_DESTINATIONS/0123456789ab';
    const [begin, end] = [JSON.stringify({ billing }).slice(0, 9), JSON.stringify({ billing }).slice(9)];
    const store = new ParameterStore();
    store.parameters.set(`${path}/000`, begin).set(`${path}/001`, end);
    const storeEndpoint = await store.start();
    const environment = {
      SAGABOX_ENDPOINT: 'orders',
      SAGABOX_OUTBOX_TABLE: tableName,
      SAGABOX_DESTINATIONS: `ssm:${path}#2`,
    };
    const output = { sagaboxEndpoint: 'orders', queueUrl: billing, environment };
    const outputs = await startStackOutputs({ Shop: [[JSON.stringify(output)]] });
    await commit('m1');
    const args = ['relay', '--stack', 'Shop', '--endpoint', 'orders', '--strategy', 'stream', '--json'];
    const { exitCode, out, err } = await runOnEngines(args, {
      AWS_ENDPOINT_URL_CLOUDFORMATION: outputs.endpoint,
      AWS_ENDPOINT_URL_SSM: storeEndpoint,
    });
    await Promise.all([outputs.stop(), store.stop()]);
    expect([exitCode, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ endpoint: 'orders', dispatched: 1, failed: 0 });
    expect(await arrivedIds()).toEqual(['of-m1']);
    expect(store.calls).toEqual([[`${path}/000`, `${path}/001`]]);
  });

  it('refuses an endpoint that the stack has not', async () => {
    const { exitCode, out, err } = await relayed('--endpoint', 'shipping');
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain("error: --endpoint: the stack 'Shop' has no endpoint 'shipping', but orders");
  });
});
