import { expect, it } from '@jest/globals';
import { Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Architecture, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import {
  ClaimCheckBucket,
  EndpointMonitoring,
  MessageEndpoint,
  MessageScheduler,
  OutboxRelay,
  OutboxTable,
  SendOnlyEndpoint,
  TableCapacity,
} from 'sagabox/constructs';
import { entry } from '../constructs/endpoint/bundled-endpoint.ts';
import { inlineEndpoint, inlineFunction, templateOf, unbundledStack } from '../constructs/support.ts';
import { readPage } from '../support/page-tables.ts';
import type { Prop } from './declared-props.ts';
import { propsInTables } from './prop-tables.ts';

/** Makes what has the prop, with these values and what they need. */
type Make = (stack: Stack, props: object) => void;

const endpoint: Make = (stack, props) => {
  const outboxTable = new OutboxTable(stack, 'Outbox');
  new MessageEndpoint(stack, 'Orders', {
    entry,
    sagaTable: outboxTable,
    outboxTable,
    metricsNamespace: 'Shop',
    ...props,
  });
};
const table: Make = (stack, props) => new OutboxTable(stack, 'Outbox', props);
const relay: Make = (stack, props) => {
  const outboxTable = new OutboxTable(stack, 'Outbox');
  new OutboxRelay(stack, 'Relay', {
    endpoints: [inlineEndpoint(stack, 'Orders', { outboxTable })],
    ...props,
  });
};
const monitoring: Make = (stack, props) => {
  const topic = new Topic(stack, 'Pager');
  new EndpointMonitoring(stack, 'Monitoring', { endpoint: inlineEndpoint(stack, 'Orders'), topic, ...props });
};

/** How to make what has the props of an interface. */
const makers: Record<string, Make> = {
  MessageEndpointCommonProps: endpoint,
  EmittedMetricsProps: endpoint,
  EndpointQueueProps: endpoint,
  EndpointTableProps: endpoint,
  BundledEndpointProps: endpoint,
  TopicSubscriptionOptions(stack, options) {
    inlineEndpoint(stack, 'Orders').subscribesTo(new Topic(stack, 'Events'), options);
  },
  MessageEndpointAttributes(stack, attributes) {
    const billing = MessageEndpoint.fromMessageEndpointAttributes(stack, 'Billing', {
      endpointName: 'billing',
      queueArn: 'arn:aws:sqs:eu-west-1:111111111111:billing',
      ...attributes,
    });
    inlineEndpoint(stack, 'Orders').sendsTo(billing);
  },
  MessagingTableProps: table,
  MessagingTableAttributes(stack, attributes) {
    const own = { tableName: 'records', ...attributes };
    inlineEndpoint(stack, 'Orders', { outboxTable: OutboxTable.fromTableAttributes(stack, 'Outbox', own) });
  },
  OutboxRelayProps: relay,
  SendOnlyEndpointProps(stack, props) {
    const outboxTable = new OutboxTable(stack, 'Outbox');
    const functions = [inlineFunction(stack, 'PlaceOrder')];
    new SendOnlyEndpoint(stack, 'Api', { outboxTable, functions, relay: 'elsewhere', ...props });
  },
  MessageSchedulerProps: (stack, props) => new MessageScheduler(stack, 'Scheduler', props),
  ClaimCheckBucketProps: (stack, props) => new ClaimCheckBucket(stack, 'Bodies', props),
  ClaimCheckOptions(stack, options) {
    const claimCheck = { bucket: new ClaimCheckBucket(stack, 'Bodies'), ...options };
    inlineEndpoint(stack, 'Orders', { claimCheck });
  },
  AlarmActionProps: monitoring,
  AlarmSettings: (stack, settings) => monitoring(stack, { alarms: { deadLetters: settings } }),
};

/** A value that is not the default, for each prop with a default that is an expression. */
const otherValues: Record<string, unknown> = {
  'EndpointTableProps.locking': 'pessimistic',
  'EndpointTableProps.embeddedOutbox': true,
  'EndpointQueueProps.fifo': true,
  'EndpointQueueProps.removalPolicy': RemovalPolicy.DESTROY,
  'MessageEndpointCommonProps.enabled': false,
  'MessageEndpointCommonProps.batchSize': 9,
  'MessageEndpointCommonProps.maxReceiveCount': 6,
  'MessageEndpointCommonProps.retention': Duration.days(3),
  'MessageEndpointCommonProps.deadLetterRetention': Duration.days(6),
  'MessageEndpointCommonProps.scheduler': true,
  'MessageEndpointCommonProps.operatingOutput': false,
  'EmittedMetricsProps.metricsByMessageType': true,
  'BundledEndpointProps.functionTimeout': Duration.seconds(31),
  'BundledEndpointProps.memorySizeMb': 513,
  'BundledEndpointProps.architecture': Architecture.X86_64,
  'BundledEndpointProps.logRetention': RetentionDays.ONE_WEEK,
  'BundledEndpointProps.recursiveLoop': RecursiveLoop.TERMINATE,
  'TopicSubscriptionOptions.rawMessageDelivery': false,
  'MessageEndpointAttributes.maxMessageSizeBytes': 1_048_575,
  'MessagingTableProps.capacity': TableCapacity.onDemand({ maxReadRequestUnits: 10 }),
  'MessagingTableProps.relayStream': true,
  'MessagingTableProps.pointInTimeRecovery': false,
  'MessagingTableProps.removalPolicy': RemovalPolicy.DESTROY,
  'AlarmActionProps.notifyOnOk': true,
  'MessagingTableAttributes.partitionKeyName': 'pk',
  'MessagingTableAttributes.sortKeyName': 'sk',
  'MessagingTableAttributes.timeToLiveAttributeName': 'ttl',
  'OutboxRelayProps.every': Duration.minutes(16),
  'OutboxRelayProps.olderThan': Duration.minutes(16),
  'OutboxRelayProps.maxReadUnitsPerSecond': 26,
  'OutboxRelayProps.memorySizeMb': 257,
  'OutboxRelayProps.logRetention': RetentionDays.ONE_WEEK,
  'OutboxRelayProps.architecture': Architecture.X86_64,
  'SendOnlyEndpointProps.deduplicationPeriod': Duration.days(8),
  'SendOnlyEndpointProps.scheduler': true,
  'SendOnlyEndpointProps.operatingOutput': false,
  'MessageSchedulerProps.removalPolicy': RemovalPolicy.DESTROY,
  'ClaimCheckBucketProps.retention': Duration.days(22),
  'ClaimCheckBucketProps.removalPolicy': RemovalPolicy.DESTROY,
  'ClaimCheckBucketProps.autoDeleteObjects': true,
  'ClaimCheckOptions.thresholdBytes': 65_535,
  'AlarmSettings.treatMissingData': TreatMissingData.BREACHING,
  'AlarmSettings.actionsEnabled': false,
};
/** What shows in rules only: a global table is refused without it (test/constructs/tables). */
const notInTemplates = ['EndpointTableProps.singleWriterRegion', 'SendOnlyEndpointProps.singleWriterRegion'];
/** What these props need to have an effect. */
const needs: Record<string, object> = {
  'ClaimCheckBucketProps.autoDeleteObjects': { removalPolicy: RemovalPolicy.DESTROY },
};

const props = new Map(
  propsInTables(readPage('reference/constructs.md'))
    .filter((prop) => prop.default !== undefined && !prop.default.startsWith('- '))
    .map((prop): [string, Prop] => [`${prop.declaredBy}.${prop.name}`, prop])
    .filter(([path]) => !notInTemplates.includes(path)),
);

it('every default that is an expression is compared', () => {
  expect(Object.keys(otherValues).toSorted()).toEqual([...props.keys()].toSorted());
});

it.each([...props])('%s has its documented default', (path, { name, default: expression = '' }) => {
  const without = withoutIt(path);
  expect(templateWith(path, { [name]: evaluated(expression) })).toEqual(without);
  // Else the prop would have no effect here, and any default would do.
  expect(templateWith(path, { [name]: otherValues[path] })).not.toEqual(without);
});

const templatesWithout = new Map<string, string[]>();

/** The template of what has the prop, once for the props of an interface that need the same. */
function withoutIt(path: string): string[] {
  const key = path in needs ? path : (props.get(path) as Prop).declaredBy;
  const template = templatesWithout.get(key) ?? templateWith(path, {});
  templatesWithout.set(key, template);
  return template;
}

function templateWith(path: string, given: object): string[] {
  const { declaredBy } = props.get(path) as Prop;
  const stack = unbundledStack();
  makers[declaredBy]?.(stack, { ...needs[path], ...given });
  const template = JSON.stringify(templateOf(stack).toJSON(), undefined, 1);
  // CloudFormation's own defaults.
  return template.split('\n').filter((line) => !/^ *"(?:Enabled|ActionsEnabled)": true,?$/.test(line));
}

/** The value of an expression such as `10`, `'PK'`, `Architecture.ARM_64` or `Duration.days(4)`. */
function evaluated(expression: string): unknown {
  const [, owner = '', member = '', call, argument] = /^(\w+)\.(\w+)(\((\d*)\))?$/.exec(expression) ?? [];
  if (owner === '') return JSON.parse(expression.replaceAll("'", '"'));
  const owners: Record<string, unknown> = {
    Architecture,
    Duration,
    RecursiveLoop,
    RemovalPolicy,
    RetentionDays,
    TableCapacity,
    TreatMissingData,
  };
  const value = (owners[owner] as Record<string, unknown>)[member];
  if (call === undefined) return value;
  return (value as (...values: number[]) => unknown).apply(
    owners[owner],
    argument === '' ? [] : [Number(argument)],
  );
}
