import { describe, expect, it } from '@jest/globals';
import { type App, CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { AttributeType, StreamViewType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { CfnEventSourceMapping, EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import {
  MessagingTable,
  OutboxRelay,
  type OutboxRelayProps,
  OutboxTable,
  SagaTable,
} from 'sagabox/constructs';
import {
  allowedActions,
  expectViolation,
  inlineEndpoint,
  inlineFunction,
  jsonVariable,
  propertiesOf,
  unbundledStack,
  variablesOf,
  violationsOf,
} from '../support.ts';

const FUNCTION = 'AWS::Lambda::Function';
const MAPPING = 'AWS::Lambda::EventSourceMapping';

type Settings = Omit<OutboxRelayProps, 'endpoints'> & { view?: StreamViewType; encryptionKey?: Key };

function relayIn(stack: Stack, { view, encryptionKey, ...props }: Settings = {}) {
  const outboxTable = new OutboxTable(stack, 'Outbox', {
    relayStream: view ?? true,
    ...(encryptionKey && { encryptionKey }),
  });
  const orders = inlineEndpoint(stack, 'Orders', { outboxTable });
  return { outboxTable, orders, relay: new OutboxRelay(stack, 'Relay', { endpoints: [orders], ...props }) };
}

const watchedBy = (stack: Stack) => jsonVariable(stack, 'RelayWatcher', 'SAGABOX_WATCHER');

describe('the watcher of a relay', () => {
  it('is called with all changes of records and sagas, in as few batches as can be, and with no others', () => {
    const stack = unbundledStack();
    const { relay } = relayIn(stack);
    const mapping = propertiesOf(stack, MAPPING, 'Relay');
    expect(mapping).toEqual({
      FunctionName: { Ref: expect.stringMatching(/^RelayWatcher/) },
      EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^Outbox/), 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1_000,
      MaximumBatchingWindowInSeconds: 300,
      FilterCriteria: { Filters: [{ Pattern: expect.any(String) }] },
    });
    const { Filters } = mapping.FilterCriteria as { Filters: [{ Pattern: string }] };
    expect(JSON.parse(Filters[0].Pattern)).toEqual({
      eventName: ['INSERT', 'MODIFY'],
      dynamodb: { Keys: { PK: { S: [{ prefix: 'OUTBOX#' }, { prefix: 'SAGA#' }] } } },
    });
    expect(relay.mappings).toHaveLength(1);
    expect(relay.watcher).toBeDefined();
    expect(propertiesOf(stack, FUNCTION, 'RelayWatcher')).toMatchObject({ Timeout: 900, MemorySize: 256 });
  });

  it.each([
    [Duration.seconds(299), 299],
    [Duration.seconds(301), 300],
    [Duration.hours(1), 300],
  ])('waits for a batch no longer than a thing is left alone (%s): %d s', (olderThan, seconds) => {
    const stack = unbundledStack();
    relayIn(stack, { olderThan });
    expect(propertiesOf(stack, MAPPING, 'Relay')).toMatchObject({ MaximumBatchingWindowInSeconds: seconds });
  });

  it('waits for 5 minutes where only the deployment knows that', () => {
    const stack = unbundledStack();
    const seconds = new CfnParameter(stack, 'Seconds', { type: 'Number' }).valueAsNumber;
    relayIn(stack, { olderThan: Duration.seconds(seconds) });
    expect(propertiesOf(stack, MAPPING, 'Relay')).toMatchObject({ MaximumBatchingWindowInSeconds: 300 });
  });

  it('is told its tables, and no endpoints: it lists for all', () => {
    const stack = unbundledStack();
    relayIn(stack);
    expect(Object.keys(variablesOf(stack, 'RelayWatcher')).toSorted()).toEqual([
      'NODE_OPTIONS',
      'SAGABOX_WATCHER',
    ]);
    expect(watchedBy(stack)).toEqual({ tables: [expect.stringMatching(/^Outbox/)] });
  });

  it('reads the stream, and writes the list, and may do nothing else', () => {
    const stack = unbundledStack();
    relayIn(stack, { encryptionKey: new Key(stack, 'Key') });
    const { 'Allow RelayWatcherLogGroup': _log, ...allowed } = allowedActions(stack, 'RelayWatcher');
    const ofStream = Object.entries(allowed).filter(([resource]) => resource.includes('StreamArn'));
    expect(allowed).toMatchObject({
      'Allow Outbox': expect.anything(),
      'Allow Key': ['kms:Decrypt'],
    });
    expect(JSON.stringify(allowed)).not.toContain('*');
    expect([...new Set(Object.values(allowed).flat())].toSorted()).toEqual([
      'dynamodb:BatchGetItem',
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
      'dynamodb:ListStreams',
      'dynamodb:PutItem',
      'kms:Decrypt',
    ]);
    expect(ofStream.length).toBeLessThanOrEqual(1);
  });

  it('watches the outbox table and each table of sagas with an embedded outbox, each once', () => {
    const stack = unbundledStack();
    const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream: true });
    const sagaTable = new SagaTable(stack, 'Sagas', { relayStream: true });
    const own = new Table(stack, 'Own', {
      partitionKey: { name: 'saga', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      timeToLiveAttribute: 'ExpiresAt',
      stream: StreamViewType.NEW_IMAGE,
    });
    const embedded = { outboxTable, embeddedOutbox: true };
    const endpoints = [
      inlineEndpoint(stack, 'One', { ...embedded, sagaTable }),
      inlineEndpoint(stack, 'Two', { ...embedded, sagaTable }),
      inlineEndpoint(stack, 'Three', { ...embedded, sagaTable: own }),
      inlineEndpoint(stack, 'Four', { outboxTable, sagaTable: new SagaTable(stack, 'Others') }),
    ];
    const relay = new OutboxRelay(stack, 'Relay', { endpoints });
    expect(violationsOf(stack)).toBe('');
    expect(relay.mappings).toHaveLength(3);
    const ofOwn = { tableName: expect.stringMatching(/^Own/), partitionKeyName: 'saga' };
    const tables = [expect.stringMatching(/^Outbox/), expect.stringMatching(/^Sagas/), ofOwn];
    expect(watchedBy(stack)).toEqual({ tables });
    const { watched } = jsonVariable(stack, 'RelayFunction', 'SAGABOX_RELAY') as {
      watched: { table: unknown; mapping: string }[];
    };
    expect(watched.map(({ table }) => table)).toEqual(tables);
    expect(new Set(watched.map(({ mapping }) => mapping)).size).toBe(3);
    const { FilterCriteria } = propertiesOf(stack, MAPPING, 'RelaySagaStreamOwn') as {
      FilterCriteria: { Filters: [{ Pattern: string }] };
    };
    expect(JSON.parse(FilterCriteria.Filters[0].Pattern).dynamodb.Keys).toHaveProperty('saga');
  });

  it('keeps two tables of one path in two stacks apart', () => {
    const stack = unbundledStack();
    const [outbox, sagas] = ['Outbox', 'Sagas'].map((id) => new Stack(stack.node.root, id)) as [Stack, Stack];
    const outboxTable = new OutboxTable(outbox, 'Table', { relayStream: true });
    const sagaTables = [stack, sagas].map((each) => new SagaTable(each, 'Table', { relayStream: true }));
    const endpoints = sagaTables.map((sagaTable, index) =>
      inlineEndpoint(stack, `Endpoint${index}`, { outboxTable, sagaTable, embeddedOutbox: true }),
    );
    expect(new OutboxRelay(stack, 'Relay', { endpoints }).mappings).toHaveLength(3);
    expect(violationsOf(stack)).toBe('');
  });

  it('watches a table for sagas and outbox by one mapping', () => {
    const stack = unbundledStack();
    const table = new MessagingTable(stack, 'Both', { relayStream: true });
    const endpoints = [
      inlineEndpoint(stack, 'Orders', { sagaTable: table, outboxTable: table, embeddedOutbox: true }),
    ];
    expect(new OutboxRelay(stack, 'Relay', { endpoints }).mappings).toHaveLength(1);
    expect(violationsOf(stack)).toBe('');
  });

  it('is not there for a relay that scans', () => {
    const { relay } = relayIn(unbundledStack(), { strategy: 'scan' });
    expect([relay.watcher, relay.mappings]).toEqual([undefined, []]);
  });

  it('works in another stack than the table', () => {
    const app = unbundledStack().node.root as App;
    const [data, tools] = [new Stack(app, 'Data'), new Stack(app, 'Tools')];
    const outboxTable = new OutboxTable(data, 'Outbox', { relayStream: true });
    const endpoints = [inlineEndpoint(tools, 'Orders', { outboxTable })];
    new OutboxRelay(tools, 'Relay', { endpoints });
    expect(violationsOf(tools)).toBe('');
    expect(JSON.stringify(propertiesOf(tools, MAPPING, 'Relay').EventSourceArn)).toContain('StreamArn');
  });

  it('has the settings of the function of the relay, but its name and its concurrency', () => {
    const stack = unbundledStack();
    relayIn(stack, { functionProps: { functionName: 'relay', reservedConcurrentExecutions: 1 } });
    expect(propertiesOf(stack, FUNCTION, 'RelayFunction')).toMatchObject({ FunctionName: 'relay' });
    const watcher = propertiesOf(stack, FUNCTION, 'RelayWatcher');
    expect(watcher).not.toHaveProperty('FunctionName');
    expect(watcher).not.toHaveProperty('ReservedConcurrentExecutions');
  });
});

describe('the watcher of a replicated table', () => {
  it('lists for the endpoints of its relay alone, as other regions write the table too', () => {
    const stack = new Stack(unbundledStack().node.root as App, 'Global', {
      env: { account: '111111111111', region: 'eu-west-1' },
    });
    const outboxTable = new TableV2(stack, 'Outbox', {
      partitionKey: { name: 'PK', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      timeToLiveAttribute: 'ExpiresAt',
      replicas: [{ region: 'us-east-1' }],
    });
    const props = { outboxTable, singleWriterRegion: true };
    const endpoints = ['Orders', 'Billing'].map((id) => inlineEndpoint(stack, id, props));
    inlineEndpoint(stack, 'Other', props);
    new OutboxRelay(stack, 'Relay', { endpoints });
    expect(violationsOf(stack)).toBe('');
    expect(watchedBy(stack)).toMatchObject({ endpoints: ['orders', 'billing'] });
  });
});

describe('the streams of a relay', () => {
  it('are all there, or the tables without one are named', () => {
    const stack = unbundledStack();
    const outboxTable = new OutboxTable(stack, 'Outbox');
    const sagaTable = new SagaTable(stack, 'Sagas');
    const endpoints = [inlineEndpoint(stack, 'Orders', { outboxTable, sagaTable, embeddedOutbox: true })];
    new OutboxRelay(stack, 'Relay', { endpoints, strategy: 'stream' });
    expectViolation(
      stack,
      "[Test/Relay] strategy: it is 'stream', and 'Test/Outbox', 'Test/Sagas' are without a stream",
    );
    expect.hasAssertions();
  });

  it.each([
    ['222222222222', 'eu-west-1'],
    ['111111111111', 'us-east-1'],
  ])('of account %s, region %s are refused', (account, region) => {
    const env = { account: '111111111111', region: 'eu-west-1' };
    const stack = new Stack(unbundledStack().node.root as App, 'Here', { env });
    const tableArn = `arn:aws:dynamodb:${region}:${account}:table/records`;
    const outboxTable = OutboxTable.fromTableAttributes(stack, 'Outbox', {
      tableArn,
      tableStreamArn: `${tableArn}/stream/2026-01-01T00:00:00.000`,
    });
    new OutboxRelay(stack, 'Relay', { endpoints: [inlineEndpoint(stack, 'Orders', { outboxTable })] });
    expect(violationsOf(stack)).toContain(
      "[Here/Relay] strategy: it is 'stream', and a relay reads streams of its own account and region: that of " +
        `'Here/Outbox' is in account ${account}, region ${region}. Use 'scan'.`,
    );
  });

  it.each([
    [StreamViewType.OLD_IMAGE, 1],
    [StreamViewType.NEW_IMAGE, 0],
    [StreamViewType.NEW_AND_OLD_IMAGES, 0],
    [StreamViewType.KEYS_ONLY, 0],
  ])('with %s give %d warnings of images', (view, count) => {
    const stack = unbundledStack();
    relayIn(stack, { view });
    expect(violationsOf(stack)).toBe('');
    const found = Annotations.fromStack(stack).findWarning(
      '/Test/Relay',
      Match.stringLikeRegexp("^strategy: the stream of 'Test/Outbox' has the old images of items only"),
    );
    expect(found).toHaveLength(count);
  });
});

describe('the readers of a stream', () => {
  const warningsOf = (stack: Stack) => {
    expect(violationsOf(stack)).toBe('');
    const text = Match.stringLikeRegexp('^strategy: the stream of .* is read by');
    return Annotations.fromStack(stack)
      .findWarning('*', text)
      .map(({ entry }) => String(entry.data));
  };
  const readBy = (stack: Stack, id: string, eventSourceArn = '') =>
    new EventSourceMapping(stack, id, {
      target: inlineFunction(stack, `${id}Function`),
      eventSourceArn,
      startingPosition: StartingPosition.LATEST,
    });

  it('can be two', () => {
    const stack = unbundledStack();
    readBy(stack, 'Search', relayIn(stack).outboxTable.tableStreamArn);
    expect(warningsOf(stack)).toEqual([]);
  });

  it.each<[string, (stack: Stack, streamArn: string) => unknown]>([
    ['a mapping', (stack, streamArn) => readBy(stack, 'Third', streamArn)],
    [
      'a mapping of the template',
      (stack, eventSourceArn) =>
        new CfnEventSourceMapping(stack, 'Third', { functionName: 'f', eventSourceArn }),
    ],
    [
      'a mapping that an override leads to it',
      (stack, streamArn) =>
        new CfnEventSourceMapping(stack, 'Third', { functionName: 'f' }).addPropertyOverride(
          'EventSourceArn',
          streamArn,
        ),
    ],
    ['a pipe', (stack, source) => new CfnPipe(stack, 'Third', { source, target: 't', roleArn: 'r' })],
  ])('are reported when %s is the third', (_case, addThird) => {
    const stack = unbundledStack();
    const streamArn = relayIn(stack).outboxTable.tableStreamArn ?? '';
    readBy(stack, 'Search', streamArn);
    readBy(stack, 'OfAnother', new OutboxTable(stack, 'Unread', { relayStream: true }).tableStreamArn);
    addThird(stack, streamArn);
    const [found] = warningsOf(stack);
    expect(found).toContain("'Test/Outbox' is read by 'Test/Relay', 'Test/Search', 'Test/Third'");
    expect(found).toContain('may throttle more than two readers');
  });

  it('are reported when a second relay is the third', () => {
    const stack = unbundledStack();
    const { outboxTable, orders } = relayIn(stack);
    new OutboxRelay(stack, 'Second', { endpoints: [orders] });
    readBy(stack, 'Search', outboxTable.tableStreamArn);
    expect(warningsOf(stack)).toHaveLength(2);
  });

  it.each([
    [0, 'not reported'],
    [1, 'reported'],
  ])('are one on a replicated table: %d beside it is %s', (others, result) => {
    const env = { account: '111111111111', region: 'eu-west-1' };
    const stack = new Stack(unbundledStack().node.root as App, 'Global', { env });
    const outboxTable = new TableV2(stack, 'Outbox', {
      partitionKey: { name: 'PK', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      timeToLiveAttribute: 'ExpiresAt',
      replicas: [{ region: 'us-east-1' }],
    });
    const endpoint = inlineEndpoint(stack, 'Orders', { outboxTable, singleWriterRegion: true });
    new OutboxRelay(stack, 'Relay', { endpoints: [endpoint] });
    if (others > 0) readBy(stack, 'Search', outboxTable.tableStreamArn);
    const text = 'may throttle more than one reader of a replicated table';
    expect(warningsOf(stack)).toEqual(result === 'reported' ? [expect.stringContaining(text)] : []);
  });
});

describe('an endpoint of a watched table', () => {
  const unread = (stack: Stack) =>
    Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('sagabox:unreadList'));

  it('that no relay has is warned of: the watcher lists what it leaves, and nobody sends that', () => {
    const stack = unbundledStack();
    const { outboxTable } = relayIn(stack);
    inlineEndpoint(stack, 'Billing', { outboxTable });
    const [warning, ...others] = unread(stack);
    expect(others).toEqual([]);
    expect(warning?.id).toBe('/Test/Billing');
    expect(warning?.entry.data).toMatch(
      /^endpoints: the watcher of an OutboxRelay lists what this endpoint left unsent in 'Test\/Outbox', /,
    );
  });

  it('is not warned of with a relay, or where the table is searched by a scan', () => {
    const watched = unbundledStack();
    const { outboxTable } = relayIn(watched);
    const billing = inlineEndpoint(watched, 'Billing', { outboxTable });
    new OutboxRelay(watched, 'Other', { endpoints: [billing] });
    expect(unread(watched)).toEqual([]);

    const scanned = unbundledStack();
    inlineEndpoint(scanned, 'Billing', { outboxTable: relayIn(scanned, { strategy: 'scan' }).outboxTable });
    expect(unread(scanned)).toEqual([]);
  });
});
