import { describe, expect, it } from '@jest/globals';
import { type App, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  type MessageEndpoint,
  MessageScheduler,
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
  policyStatements,
  textOf,
  unbundledStack,
  variablesOf,
  violationsOf,
} from '../support.ts';

const settingOf = (stack: Stack) => jsonVariable(stack, 'RelayFunction', 'SAGABOX_RELAY');

function shop() {
  const stack = unbundledStack();
  const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream: true });
  const orders = inlineEndpoint(stack, 'Orders', { outboxTable });
  const billing = inlineEndpoint(stack, 'Billing', { outboxTable });
  return { stack, outboxTable, orders, billing };
}

describe('a relay of several endpoints', () => {
  it('names them, with the destinations of all of them, once', () => {
    const { stack, orders, billing } = shop();
    new OutboxRelay(stack, 'Relay', { endpoints: [orders, billing] });
    orders.sendsTo(billing);
    billing.sendsTo(orders);
    expect(settingOf(stack)).toEqual({
      olderThanSeconds: 900,
      strategy: 'stream',
      maxReadUnitsPerSecond: 25,
      endpoints: ['orders', 'billing'],
      watched: [
        { table: expect.stringMatching(/^Outbox/), mapping: expect.stringMatching(/^RelayOutboxStream/) },
      ],
    });
    const destinations = textOf(variablesOf(stack, 'RelayFunction').SAGABOX_DESTINATIONS);
    expect(destinations.match(/"orders":/g)).toHaveLength(1);
    expect(destinations.match(/"billing":/g)).toHaveLength(1);
  });

  it('has what differs by endpoint beside what most have', () => {
    const { stack, outboxTable, orders, billing } = shop();
    const deduplicationPeriod = Duration.days(30);
    const shipping = inlineEndpoint(stack, 'Shipping', { outboxTable, deduplicationPeriod });
    new OutboxRelay(stack, 'Relay', { endpoints: [orders, shipping, billing] });
    expect(settingOf(stack)).toMatchObject({
      exceptions: { shipping: { SAGABOX_DEDUPLICATION_PERIOD_SECONDS: '2592000' } },
    });
    expect(Object.keys(settingOf(stack).exceptions as object)).toEqual(['shipping']);
  });

  it('has the saga tables of endpoints with an embedded outbox, and may search and work on them', () => {
    const { stack, outboxTable, orders } = shop();
    const sagaTable = new SagaTable(stack, 'Sagas', { relayStream: true });
    const ownTable = new Table(stack, 'Own', {
      partitionKey: { name: 'saga', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      timeToLiveAttribute: 'ExpiresAt',
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
    });
    const embedded = { outboxTable, embeddedOutbox: true };
    const endpoints = [
      orders,
      inlineEndpoint(stack, 'Embedded', { ...embedded, sagaTable }),
      inlineEndpoint(stack, 'Second', { ...embedded, sagaTable }),
      inlineEndpoint(stack, 'Third', { ...embedded, sagaTable: ownTable }),
      inlineEndpoint(stack, 'Records', { outboxTable, sagaTable: new SagaTable(stack, 'Others') }),
    ];
    new OutboxRelay(stack, 'Relay', { endpoints });
    expect(violationsOf(stack)).toBe('');

    const variables = variablesOf(stack, 'RelayFunction');
    const ofEndpoint = variablesOf(stack, 'EmbeddedOwn');
    expect(variables).toMatchObject({
      SAGABOX_SAGA_TABLE: ofEndpoint.SAGABOX_SAGA_TABLE,
      SAGABOX_EMBEDDED_OUTBOX: 'true',
    });
    const settings = settingOf(stack);
    expect(settings.exceptions).toEqual({
      third: {
        SAGABOX_SAGA_TABLE: { tableName: expect.stringMatching(/^Own/), partitionKeyName: 'saga' },
      },
    });

    const onEntries = ['BatchGetItem', 'DeleteItem', 'DescribeTable', 'PartiQLUpdate', 'Query', 'UpdateItem'];
    const { 'Allow Sagas': ofSagas, 'Allow Own': ofOwn, ...others } = allowedActions(stack, 'RelayFunction');
    const actions = onEntries.map((operation) => `dynamodb:${operation}`);
    expect([ofSagas, ofOwn]).toEqual([actions, actions]);
    expect(JSON.stringify(others)).not.toMatch(/Others|Scan/);
  });

  it('scans saga tables that have a stream if it is to scan', () => {
    const { stack, outboxTable } = shop();
    const sagaTable = new SagaTable(stack, 'Sagas', { relayStream: true });
    const endpoints = [inlineEndpoint(stack, 'Embedded', { outboxTable, sagaTable, embeddedOutbox: true })];
    new OutboxRelay(stack, 'Relay', { endpoints, strategy: 'scan' });
    expect(settingOf(stack)).not.toHaveProperty('watched');
    const allowed = allowedActions(stack, 'RelayFunction');
    expect(allowed['Allow Sagas']).toContain('dynamodb:Scan');
    expect(JSON.stringify(allowed)).not.toMatch(/DescribeTable|DeleteItem|lambda:/);
  });

  it.each([
    ['stream', 'may not scan'],
    ['scan', 'may scan'],
  ] as const)('by %s %s the table of sagas and outbox', (strategy, may) => {
    const scans = may === 'may scan';
    const stack = unbundledStack();
    const table = new MessagingTable(stack, 'Messaging', { relayStream: true });
    const tables = { sagaTable: table, outboxTable: table, embeddedOutbox: true };
    new OutboxRelay(stack, 'Relay', { endpoints: [inlineEndpoint(stack, 'Orders', tables)], strategy });
    const allowed = JSON.stringify(allowedActions(stack, 'RelayFunction'));
    expect(allowed).toContain('dynamodb:PartiQLUpdate');
    expect(allowed.includes('dynamodb:Scan')).toBe(scans);
  });

  it('emits metrics of its runs where its endpoints emit theirs', () => {
    const { stack, outboxTable, orders } = shop();
    const billing = inlineEndpoint(stack, 'Emitting', { outboxTable, metricsNamespace: 'Shop' });
    new OutboxRelay(stack, 'Relay', { endpoints: [orders, billing] });
    expect(variablesOf(stack, 'RelayFunction').SAGABOX_METRICS_NAMESPACE).toBe('Shop');
  });

  it('has one scheduler for all that share it, and that of another beside it', () => {
    const { stack, outboxTable } = shop();
    const scheduler = new MessageScheduler(stack, 'Shared');
    const [one, two] = ['One', 'Two'].map((id) => inlineEndpoint(stack, id, { outboxTable, scheduler }));
    const other = inlineEndpoint(stack, 'Other', { outboxTable, scheduler: true });
    new OutboxRelay(stack, 'Relay', { endpoints: [other, one, two] as MessageEndpoint[] });
    const variables = variablesOf(stack, 'RelayFunction');
    expect(JSON.stringify(variables.SAGABOX_SCHEDULER)).toContain('SharedGroup');
    const setting = textOf(variables.SAGABOX_RELAY);
    expect(setting).toContain('"exceptions":{"other":{"SAGABOX_SCHEDULER":{');
    expect(setting).toContain('OtherScheduler');
    expect(setting).not.toContain('SharedGroup');
  });

  it('puts the endpoint before a name that stands for another queue at it', () => {
    const { stack, outboxTable, orders, billing } = shop();
    const shipping = inlineEndpoint(stack, 'Shipping', { outboxTable });
    const queue = new Queue(stack, 'Ledger', { queueName: 'ledger' });
    for (const endpoint of [orders, billing]) endpoint.sendsTo({ name: 'ledger', queue });
    shipping.sendsTo({ name: 'ledger', queue: new Queue(stack, 'Others', { queueName: 'others' }) });
    new OutboxRelay(stack, 'Relay', { endpoints: [shipping, orders, billing] });
    const destinations = textOf(variablesOf(stack, 'RelayFunction').SAGABOX_DESTINATIONS);
    expect(destinations).toMatch(/"shipping#ledger":"[^}]*Others/);
    expect(destinations.match(/ledger":/g)).toHaveLength(2);
  });

  it('may send to the destinations of all of them, by one statement', () => {
    const { stack, orders, billing } = shop();
    new OutboxRelay(stack, 'Relay', { endpoints: [orders, billing] });
    orders.sendsTo(billing, { name: 'later', queue: new Queue(stack, 'Later') });
    const sends = policyStatements(stack, 'RelayFunction').filter(({ Action }) =>
      [Action].flat().includes('sqs:SendMessage'),
    );
    expect(sends).toHaveLength(1);
    expect(sends[0]?.Resource).toHaveLength(3);
  });

  it.each(['Sales', 'Tools'])('works in the stack %s for endpoints of other stacks', (home) => {
    const app = unbundledStack().node.root as App;
    const [data, sales, finance, tools] = ['Data', 'Sales', 'Finance', 'Tools'].map(
      (id) => new Stack(app, id),
    ) as [Stack, Stack, Stack, Stack];
    const outboxTable = new OutboxTable(data, 'Outbox', { relayStream: true });
    const orders = inlineEndpoint(sales, 'Orders', { outboxTable });
    const billing = inlineEndpoint(finance, 'Billing', { outboxTable });
    const stack = home === 'Sales' ? sales : tools;
    new OutboxRelay(stack, 'Relay', { endpoints: [orders, billing] });
    expect(violationsOf(stack)).toBe('');
    expect(settingOf(stack)).toMatchObject({ endpoints: ['orders', 'billing'] });
  });

  it('are reported to be missing once, and not by CDK for their policy', () => {
    const stack = unbundledStack();
    new OutboxRelay(stack, 'Relay', { endpoints: [] });
    const found = violationsOf(stack).match(/\[Test\/Relay.*/g);
    expect(found).toEqual([expect.stringContaining('endpoints: there are none')]);
  });

  it.each<[string, (parts: ReturnType<typeof shop>) => object, string]>([
    ['none', () => ({ endpoints: [] }), 'endpoints: there are none'],
    [
      'one twice',
      ({ orders }) => ({ endpoints: [orders, orders] }),
      "endpoints: 'Test/Orders' is given more",
    ],
    [
      'one without an outbox',
      ({ stack, orders }) => ({ endpoints: [orders, inlineEndpoint(stack, 'Plain')] }),
      "endpoints: 'Test/Plain' is without an outboxTable",
    ],
    [
      'two tables',
      ({ stack, orders }) => ({
        endpoints: [orders, inlineEndpoint(stack, 'Far', { outboxTable: new OutboxTable(stack, 'Other') })],
      }),
      "endpoints: 'Test/Orders' keeps its records in 'Test/Outbox', and 'Test/Far' in 'Test/Other'",
    ],
    [
      'a table of sagas without a stream beside one with a stream',
      ({ stack, orders, outboxTable }) => ({
        endpoints: [
          orders,
          inlineEndpoint(stack, 'Embedded', {
            outboxTable,
            sagaTable: new SagaTable(stack, 'Sagas'),
            embeddedOutbox: true,
          }),
        ],
      }),
      "strategy: it is 'stream', and 'Test/Sagas' is without a stream",
    ],
    [
      'less age than the slowest function takes',
      ({ stack, orders, outboxTable }) => ({
        endpoints: [
          orders,
          inlineEndpoint(stack, 'Slow', {
            outboxTable,
            function: inlineFunction(stack, 'SlowFunction', Duration.seconds(301)),
          }),
        ],
        olderThan: Duration.seconds(300),
      }),
      "olderThan: 300 s is less than the timeout of 301 s of the function of 'Test/Slow'",
    ],
    [
      'an endpoint alone',
      ({ orders }) => ({ endpoint: orders }),
      "endpoint: there is no such setting (did you mean 'endpoints'?). ",
    ],
  ])('that is given %s is told so at synth', (_what, propsOf, violation) => {
    const parts = shop();
    new OutboxRelay(parts.stack, 'Relay', propsOf(parts) as OutboxRelayProps);
    expectViolation(parts.stack, `[Test/Relay] ${violation}`);
  });

  it('finds nothing wrong with endpoints that share a table', () => {
    const { stack, orders, billing } = shop();
    new OutboxRelay(stack, 'Relay', { endpoints: [orders, billing] });
    expect(violationsOf(stack)).toBe('');
  });
});

it('a relay of endpoints in stacks of unknown places serves the table that each imports by one name', () => {
  const main = unbundledStack();
  const endpoints = ['Shop', 'Desk'].map((id) => {
    const stack = new Stack(main.node.root, id);
    const outboxTable = Table.fromTableName(stack, 'Outbox', 'outbox');
    return inlineEndpoint(stack, id, { outboxTable, queueName: id });
  });
  new OutboxRelay(main, 'Relay', { endpoints });
  expect(violationsOf(main)).toBe('');
});
