import { describe, expect, it } from '@jest/globals';
import { CfnParameter, Duration, type Stack } from 'aws-cdk-lib';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Tracing } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { MessageEndpoint, OutboxRelay, type OutboxRelayProps, OutboxTable } from 'sagabox/constructs';
import {
  allowedActions,
  expectViolation,
  inlineFunction,
  jsonVariable,
  ordersEndpoint,
  propertiesOf,
  unbundledStack,
  variablesOf,
  violationsOf,
} from '../support.ts';

const FUNCTION = 'AWS::Lambda::Function';
const records = ['dynamodb:BatchGetItem', 'dynamodb:BatchWriteItem', 'dynamodb:Query', 'dynamodb:UpdateItem'];

const tableStreamArn = 'arn:aws:dynamodb:eu-west-1:111111111111:table/outbox/stream/2026-01-01T00:00:00.000';

type Settings = Omit<OutboxRelayProps, 'endpoints'> & { relayStream?: boolean };

function relayIn(stack: Stack, { relayStream = false, ...props }: Settings = {}) {
  const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream });
  const billing = new MessageEndpoint(stack, 'Billing', {
    function: inlineFunction(stack, 'BillingFunction'),
  });
  const endpoint = new MessageEndpoint(stack, 'Orders', {
    function: inlineFunction(stack, 'OrdersFunction', Duration.minutes(5)),
    outboxTable,
  });
  const relay = new OutboxRelay(stack, 'Relay', { endpoints: [endpoint], ...props });
  // Also what the endpoint learns of later.
  endpoint.sendsTo(billing);
  return { relay, endpoint, outboxTable };
}

function settingsOf(stack: Stack): unknown {
  return jsonVariable(stack, 'RelayFunction', 'SAGABOX_RELAY');
}

describe('the relay of an outbox', () => {
  it('runs every 15 minutes, on what is older than that', () => {
    const stack = unbundledStack();
    relayIn(stack);
    expect(propertiesOf(stack, 'AWS::Events::Rule')).toMatchObject({
      ScheduleExpression: 'rate(15 minutes)',
      State: 'ENABLED',
    });
    expect(settingsOf(stack)).toEqual({
      olderThanSeconds: 900,
      strategy: 'scan',
      maxReadUnitsPerSecond: 25,
      endpoints: ['orders'],
    });
    expect(propertiesOf(stack, FUNCTION, 'RelayFunction')).toMatchObject({
      Timeout: 900,
      MemorySize: 256,
      Architectures: ['arm64'],
    });
  });

  it('takes other settings', () => {
    const stack = unbundledStack();
    relayIn(stack, {
      every: Duration.hours(1),
      olderThan: Duration.minutes(30),
      strategy: 'scan',
      relayStream: true,
      maxReadUnitsPerSecond: 400,
      functionTimeout: Duration.minutes(2),
      memorySizeMb: 512,
    });
    expect(propertiesOf(stack, 'AWS::Events::Rule')).toMatchObject({ ScheduleExpression: 'rate(1 hour)' });
    const settings = { olderThanSeconds: 1800, strategy: 'scan', maxReadUnitsPerSecond: 400 };
    expect(settingsOf(stack)).toMatchObject(settings);
    const size = { Timeout: 120, MemorySize: 512 };
    expect(propertiesOf(stack, FUNCTION, 'RelayFunction')).toMatchObject(size);
  });

  it.each([
    [true, 'stream'],
    [false, 'scan'],
  ])('of a table with a stream: %s searches by %s', (relayStream, strategy) => {
    const stack = unbundledStack();
    relayIn(stack, { relayStream });
    expect(settingsOf(stack)).toMatchObject({ strategy });
  });

  it("has what its endpoint's messages are dispatched with, with the destinations that come later", () => {
    const stack = unbundledStack();
    relayIn(stack, { relayStream: true });
    const {
      SAGABOX_RELAY: _relay,
      SAGABOX_DESTINATIONS: destinations,
      ...others
    } = variablesOf(stack, 'RelayFunction');
    const ofEndpoint = variablesOf(stack, 'OrdersFunction');
    expect(others).toEqual({
      NODE_OPTIONS: '--enable-source-maps',
      SAGABOX_ACCOUNT_ID: ofEndpoint.SAGABOX_ACCOUNT_ID,
      SAGABOX_OUTBOX_TABLE: ofEndpoint.SAGABOX_OUTBOX_TABLE,
      SAGABOX_DEDUPLICATION_PERIOD_SECONDS: ofEndpoint.SAGABOX_DEDUPLICATION_PERIOD_SECONDS,
    });
    expect(destinations).toEqual(ofEndpoint.SAGABOX_DESTINATIONS);
    expect(JSON.stringify(destinations)).toContain('billing');
  });

  it.each([
    [true, ['dynamodb:DeleteItem', 'dynamodb:DescribeTable']],
    [false, ['dynamodb:Scan']],
  ])('may do what it does, and no more (stream: %s)', (relayStream, searches) => {
    const stack = unbundledStack();
    relayIn(stack, { relayStream });
    const allowed = allowedActions(stack, 'RelayFunction');
    expect(allowed).toMatchObject({
      'Allow Outbox': [...records, ...searches].toSorted(),
      'Allow OrdersQueue': ['sqs:SendMessage'],
      'Allow BillingQueue': ['sqs:SendMessage'],
    });
    const onMapping = Object.entries(allowed).filter(([resource]) =>
      resource.includes('event-source-mapping'),
    );
    expect(onMapping.map(([, actions]) => actions)).toEqual(
      relayStream ? [['lambda:GetEventSourceMapping']] : [],
    );
    expect(JSON.stringify(allowed)).toContain('RelayFunctionLogGroup');
    expect(Object.keys(allowed)).toHaveLength(relayStream ? 5 : 4);
  });

  it('may use the key of its table', () => {
    const { stack, orders } = ordersEndpoint((scope) => ({
      outboxTable: new OutboxTable(scope, 'Outbox', { encryptionKey: new Key(scope, 'Key') }),
    }));
    new OutboxRelay(stack, 'Relay', { endpoints: [orders] });
    expect(allowedActions(stack, 'RelayFunction')['Allow Key']).toEqual(['kms:Decrypt']);
  });

  it.each([
    [undefined, undefined, 'scan'],
    [undefined, 'stream', undefined],
    [tableStreamArn, undefined, 'stream'],
    [tableStreamArn, 'stream', 'stream'],
    [tableStreamArn, 'scan', 'scan'],
  ] as const)(
    'of a table from elsewhere with the stream %s, told %s, searches by %s',
    (streamArn, strategy, expected) => {
      const { stack, orders } = ordersEndpoint((scope) => ({
        outboxTable: Table.fromTableAttributes(scope, 'Imported', {
          tableName: 'outbox',
          ...(streamArn && { tableStreamArn: streamArn }),
        }),
      }));
      new OutboxRelay(stack, 'Relay', { endpoints: [orders], ...(strategy && { strategy }) });
      if (expected === undefined) {
        expectViolation(stack, "strategy: it is 'stream', and 'Test/Imported' is without a stream");
        return;
      }
      expect(settingsOf(stack)).toMatchObject({ strategy: expected });
    },
  );

  it('by a stream is refused for a table that has none', () => {
    const stack = unbundledStack();
    relayIn(stack, { strategy: 'stream' });
    expectViolation(stack, "strategy: it is 'stream', and 'Test/Outbox' is without a stream");
  });

  it('counts the runs that failed, each of them once', () => {
    const stack = unbundledStack();
    const { relay } = relayIn(stack);
    expect(stack.resolve(relay.metricRelayErrors().toMetricConfig().metricStat)).toMatchObject({
      metricName: 'Errors',
      dimensions: [{ name: 'FunctionName' }],
    });
    expect(propertiesOf(stack, 'AWS::Lambda::EventInvokeConfig')).toMatchObject({ MaximumRetryAttempts: 0 });
    expect(propertiesOf(stack, 'AWS::Events::Rule').Targets).toMatchObject([
      { RetryPolicy: { MaximumRetryAttempts: 0 } },
    ]);
  });

  it.each<[Settings, string | undefined]>([
    [
      { olderThan: Duration.seconds(299) },
      "olderThan: 299 s is less than the timeout of 300 s of the function of 'Test/Orders'",
    ],
    [{ olderThan: Duration.seconds(300) }, undefined],
    [{ olderThan: Duration.millis(300_500) }, 'olderThan: 300.5 s is out of range'],
    [{ olderThan: Duration.seconds(0) }, 'olderThan: 0 s is out of range'],
    [{ every: Duration.seconds(30) }, 'every: 30 s is no rate'],
    [{ every: Duration.seconds(90) }, 'every: 90 s is no rate'],
    [{ every: Duration.minutes(0) }, 'every: 0 s is no rate'],
    [{ every: Duration.seconds(60) }, undefined],
    [{ every: Duration.minutes(90) }, undefined],
    [{ maxReadUnitsPerSecond: 0 }, 'maxReadUnitsPerSecond: 0 is out of range'],
    [{ maxReadUnitsPerSecond: -1 }, 'maxReadUnitsPerSecond: -1 is out of range'],
    [{ maxReadUnitsPerSecond: Number.NaN }, 'maxReadUnitsPerSecond: NaN is out of range'],
    [{ maxReadUnitsPerSecond: Number.POSITIVE_INFINITY }, 'maxReadUnitsPerSecond: Infinity is out'],
    [{ maxReadUnitsPerSecond: 0.5 }, undefined],
    [{ functionTimeout: Duration.seconds(901) }, 'functionTimeout: 901 s is out of range'],
    [{ functionTimeout: Duration.minutes(15) }, undefined],
    [{ every: Duration.minutes(2), functionTimeout: Duration.seconds(120) }, undefined],
    [
      { every: Duration.minutes(2), functionTimeout: Duration.seconds(121) },
      'functionTimeout: 121 s is longer',
    ],
    [{ strategy: 'foo' as 'scan' }, "strategy: 'foo' is not known"],
  ])('with %j: %s', (settings, violation) => {
    const stack = unbundledStack();
    relayIn(stack, settings);
    expectViolation(stack, violation === undefined ? '' : `[Test/Relay] ${violation}`);
  });

  it('is told all that is wrong with it at once', () => {
    const stack = unbundledStack();
    relayIn(stack, {
      every: Duration.seconds(1),
      olderThan: Duration.seconds(1),
      maxReadUnitsPerSecond: 0,
      functionTimeout: Duration.hours(1),
    });
    expect(violationsOf(stack).match(/\[Test\/Relay\] \w+:/g)).toHaveLength(4);
  });

  it('is not judged by what is known only at deployment', () => {
    const stack = unbundledStack();
    const seconds = Duration.seconds(new CfnParameter(stack, 'Seconds', { type: 'Number' }).valueAsNumber);
    relayIn(stack, {
      olderThan: seconds,
      functionTimeout: seconds,
      maxReadUnitsPerSecond: seconds.toSeconds(),
    });
    expect(violationsOf(stack)).toBe('');
    expect(JSON.stringify(variablesOf(stack, 'RelayFunction').SAGABOX_RELAY)).toContain(
      '"{\\"olderThanSeconds\\":\\"",{"Ref":"Seconds"}',
    );
  });

  it('passes the settings of its function on, but for those that it sets by itself', () => {
    const stack = unbundledStack();
    relayIn(stack, { functionProps: { tracing: Tracing.ACTIVE }, logRetention: RetentionDays.ONE_WEEK });
    const tracing = { TracingConfig: { Mode: 'Active' } };
    expect(propertiesOf(stack, FUNCTION, 'RelayFunction')).toMatchObject(tracing);
    expect(propertiesOf(stack, 'AWS::Logs::LogGroup', 'Relay')).toMatchObject({ RetentionInDays: 7 });
    const refused = unbundledStack();
    relayIn(refused, { functionProps: { timeout: Duration.minutes(1) } as object });
    expectViolation(refused, '[Test/Relay] functionProps.timeout: it belongs to the relay');
  });

  it.each([
    [Duration.minutes(1), 60, 60],
    [Duration.minutes(15), 900, 900],
    [Duration.minutes(16), 900, 960],
    [Duration.hours(6), 900, 21_600],
    [Duration.hours(7), 900, 21_600],
  ])('every %p ends before the next run, and is dropped when that one is there', (every, timeout, wait) => {
    const stack = unbundledStack();
    relayIn(stack, { every });
    expect(propertiesOf(stack, FUNCTION, 'RelayFunction')).toMatchObject({ Timeout: timeout });
    const config = propertiesOf(stack, 'AWS::Lambda::EventInvokeConfig');
    expect(config).toMatchObject({ MaximumEventAgeInSeconds: wait });
    expect(propertiesOf(stack, 'AWS::Events::Rule').Targets).toMatchObject([
      { RetryPolicy: { MaximumEventAgeInSeconds: wait } },
    ]);
  });
});
