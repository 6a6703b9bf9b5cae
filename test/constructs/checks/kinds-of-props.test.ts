import { describe, expect, it } from '@jest/globals';
import { Duration, type Stack } from 'aws-cdk-lib';
import { Construct, type IConstruct } from 'constructs';
import {
  type BundledEndpointProps,
  ClaimCheckBucket,
  type ClaimCheckBucketProps,
  EndpointMonitoring,
  type EndpointMonitoringProps,
  MessageEndpoint,
  type MessageEndpointAttributes,
  MessageScheduler,
  type MessageSchedulerProps,
  MessagingTable,
  type MessagingTableAttributes,
  type MessagingTableProps,
  OutboxRelay,
  type OutboxRelayProps,
  OutboxTable,
  SagaTable,
  SendOnlyEndpoint,
  type SendOnlyEndpointProps,
} from 'sagabox/constructs';
import { cells } from '../../support/samples.ts';
import { inlineEndpoint, unbundledStack, violationsOf } from '../support.ts';

/** As plain JavaScript can pass them, with what a report calls them. */
const valuesIn = (stack: Stack): Readonly<Record<string, readonly [value: unknown, text: string]>> => ({
  null: [null, 'null'],
  number: [42, '42'],
  string: ['text', "'text'"],
  boolean: [true, 'true'],
  list: [[], '[]'],
  object: [{}, '{}'],
  function: [() => 0, 'a value of type function'],
  symbol: [Symbol('text'), 'a value of type symbol'],
  date: [new Date(0), '"1970-01-01'],
  duration: [Duration.minutes(1), '{"amount":1'],
  construct: [stack.node.tryFindChild('Any') ?? new Construct(stack, 'Any'), "'Test/Any'"],
});
const names = Object.keys(valuesIn(unbundledStack()));

/** What is in an object is checked, or left to CDK. */
const options = 'object duration';

type Kinds<Props> = Readonly<Record<keyof Required<Props>, string>>;

/** The values that each prop takes: a resource takes none of them, and of the others some are out of range. */
const tableKinds: Kinds<MessagingTableProps> = {
  tableName: 'string',
  capacity: '',
  warmThroughput: options,
  capacityAlarms: `boolean ${options}`,
  encryptionKey: '',
  encryption: '',
  relayStream: 'boolean',
  pointInTimeRecovery: 'boolean',
  recoveryPeriodInDays: 'number',
  backupPlan: '',
  tableClass: '',
  contributorInsights: '',
  deletionProtection: 'boolean',
  removalPolicy: '',
};
const functionKinds = {
  entry: 'string',
  functionTimeout: 'duration',
  memorySizeMb: 'number',
  architecture: '',
  bundling: options,
  functionProps: options,
  logRetention: '',
};
const endpointKinds: Kinds<BundledEndpointProps> = {
  ...functionKinds,
  aliasName: 'string',
  batchSize: 'number',
  claimCheck: options,
  deadLetterQueue: '',
  deadLetterRetention: 'duration',
  deduplicationPeriod: 'duration',
  deduplicationScope: '',
  embeddedOutbox: 'boolean',
  enabled: 'boolean',
  encryptionKey: '',
  endpointName: 'string',
  environment: options,
  errorQueue: '',
  fifo: 'boolean',
  fifoThroughputLimit: '',
  function: '',
  leadingKeys: options,
  locking: '',
  maxBatchingWindow: 'duration',
  maxConcurrency: 'number',
  maxReceiveCount: 'number',
  metricsByMessageType: 'boolean',
  metricsNamespace: 'string',
  operatingOutput: 'boolean',
  outboxTable: '',
  queue: '',
  queueName: 'string',
  recursiveLoop: '',
  removalPolicy: '',
  retention: 'duration',
  sagaTable: '',
  scheduler: 'boolean',
  singleWriterRegion: 'boolean',
  sourcesByNamePattern: 'list',
  visibilityTimeout: 'duration',
};
const importedEndpointKinds: Kinds<MessageEndpointAttributes> = {
  endpointName: 'string',
  queueArn: '',
  fifo: 'boolean',
  encryptionKey: '',
  deadLetterQueueArn: '',
  errorQueueArn: '',
  metricsNamespace: 'string',
  maxMessageSizeBytes: 'number',
};
const importedTableKinds: Kinds<MessagingTableAttributes> = {
  tableName: 'string',
  tableArn: '',
  partitionKeyName: 'string',
  sortKeyName: 'string',
  timeToLiveAttributeName: 'string',
  tableStreamArn: '',
  encryptionKey: '',
};
const relayKinds: Kinds<OutboxRelayProps> = {
  ...functionKinds,
  endpoints: 'list',
  metricsNamespace: 'string',
  every: 'duration',
  olderThan: 'duration',
  strategy: '',
  maxReadUnitsPerSecond: 'number',
};
const sendOnlyKinds: Kinds<SendOnlyEndpointProps> = {
  claimCheck: options,
  deduplicationPeriod: 'duration',
  encryptionKey: '',
  endpointName: 'string',
  functions: 'list',
  metricsNamespace: 'string',
  operatingOutput: 'boolean',
  outboxTable: '',
  relay: '',
  scheduler: 'boolean',
  singleWriterRegion: 'boolean',
};
const schedulerKinds: Kinds<MessageSchedulerProps> = {
  groupName: 'string',
  encryptionKey: '',
  scheduleKey: '',
  roles: '',
  removalPolicy: '',
};
const bucketKinds: Kinds<ClaimCheckBucketProps> = {
  bucketName: 'string',
  retention: 'duration',
  encryptionKey: '',
  removalPolicy: '',
  autoDeleteObjects: 'boolean',
};
const monitoringKinds: Kinds<EndpointMonitoringProps> = {
  endpoint: '',
  relay: '',
  alarms: options,
  dashboard: '',
  dashboardName: 'string',
  alarmNamePrefix: 'string',
  runbookUrl: 'string',
  topic: '',
  topics: options,
  alarmActions: 'list',
  notifyOnOk: 'boolean',
};

type Make = (stack: Stack, id: string, props: never) => IConstruct;

/** With the props beside a wrong one without which a construct has nothing to do. */
const constructs: Readonly<Record<string, [Kinds<object>, Make, ((stack: Stack) => object)?]>> = {
  SagaTable: [tableKinds, (...from) => new SagaTable(...from)],
  OutboxTable: [tableKinds, (...from) => new OutboxTable(...from)],
  MessagingTable: [tableKinds, (...from) => new MessagingTable(...from)],
  'an imported table': [importedTableKinds, (...from) => SagaTable.fromTableAttributes(...from)],
  MessageEndpoint: [endpointKinds, (...from) => new MessageEndpoint(...from)],
  'an imported endpoint': [
    importedEndpointKinds,
    (...from) => MessageEndpoint.fromMessageEndpointAttributes(...from),
  ],
  OutboxRelay: [relayKinds, (...from) => new OutboxRelay(...from)],
  SendOnlyEndpoint: [sendOnlyKinds, (...from) => new SendOnlyEndpoint(...from)],
  MessageScheduler: [schedulerKinds, (...from) => new MessageScheduler(...from)],
  ClaimCheckBucket: [bucketKinds, (...from) => new ClaimCheckBucket(...from)],
  EndpointMonitoring: [
    monitoringKinds,
    (...from) => new EndpointMonitoring(...from),
    (stack) => ({ endpoint: endpointIn(stack) }),
  ],
};

const endpointIn = (stack: Stack) => stack.node.tryFindChild('Orders') ?? inlineEndpoint(stack, 'Orders');

describe.each(Object.entries(constructs))('%s', (_name, [kinds, make, besides = () => ({})]) => {
  const wrongFor = (name: string) =>
    Object.entries<string>(kinds).flatMap(([prop, taken]) => (taken.split(' ').includes(name) ? [] : [prop]));

  // Each prop and each value: what is wrong with several at once, the next test tells.
  it.each(names)('reports each prop that is given %s', (name) => {
    const stack = unbundledStack();
    const [value, text] = valuesIn(stack)[name] ?? [];
    const turn = names.indexOf(name);
    const props = wrongFor(name);
    const silent = cells(props, (prop) => props.indexOf(prop) % 10 === turn % 10).filter((prop) => {
      const made = make(stack, `With-${prop}`, { ...besides(stack), [prop]: value } as never);
      const report = made.node.validate().find((each) => each.startsWith(`${prop}: `));
      return !report?.includes(text as string);
    });
    expect(silent).toEqual([]);
  });

  it.each(names)('reports all props at once at synth, with its path, when they are given %s', (name) => {
    const stack = unbundledStack();
    const [value] = valuesIn(stack)[name] ?? [];
    const wrong = wrongFor(name);
    const all = Object.fromEntries([...wrong, 'batchsize'].map((prop) => [prop, value]));
    make(stack, 'It', all as never);
    const reports = violationsOf(stack).split('\n');
    const silent = [...wrong, 'batchsize'].filter(
      (prop) => !reports.some((report) => report.includes(`[Test/It] ${prop}: `)),
    );
    expect(silent).toEqual([]);
  });

  const others = names.filter((name) => !options.includes(name));
  it.each(others)('reports props that are no object: %s', (name) => {
    const stack = unbundledStack();
    const [value, text] = valuesIn(stack)[name] ?? [];
    const reports = make(stack, 'It', value as never).node.validate();
    expect(reports).toContainEqual(expect.stringContaining(`props: ${text}`));
  });
});
