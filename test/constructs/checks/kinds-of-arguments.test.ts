import { describe, expect, it } from '@jest/globals';
import { Lazy, Token } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  EndpointMonitoring,
  MessageEndpoint,
  MessageScheduler,
  OutboxTable,
  SagaTable,
  TableCapacity,
} from 'sagabox/constructs';
import { inlineEndpoint, ordersEndpoint, refusal, unbundledStack, violationsOf } from '../support.ts';

const wrongValues = [null, 42, 'text', true, [], () => 0, Symbol('text'), new Date(0)];
const range = { minCapacity: 1, maxCapacity: 2 };
const [start, end] = [Schedule.cron({ hour: '8' }), Schedule.cron({ hour: '20' })];

/** As plain JavaScript makes capacities, with what is reported of each. */
const capacities: [string, () => TableCapacity, string[]][] = [
  ...wrongValues.map((value): [string, () => TableCapacity, string[]] => [
    `on demand of ${String(value)}`,
    () => TableCapacity.onDemand(value as never),
    ['capacity: .* is not an object'],
  ]),
  [
    'on demand',
    () => TableCapacity.onDemand({ maxReadRequestUnits: '5', bogus: 1 } as never),
    ["capacity.maxReadRequestUnits: '5' is not a number", 'capacity.bogus: there is no such setting'],
  ],
  [
    'on demand with a misspelt name',
    () => TableCapacity.onDemand({ maxReadRequestUnit: 5 } as never),
    ["capacity.maxReadRequestUnit: there is no such setting .did you mean 'maxReadRequestUnits'"],
  ],
  [
    'provisioned of nothing',
    () => TableCapacity.provisioned(undefined as never),
    ['capacity.read: it is missing', 'capacity.write: it is missing'],
  ],
  [
    'provisioned',
    () =>
      TableCapacity.provisioned({
        read: { minCapacity: 1, least: 1 },
        write: { ...range, minCapacity: '1' },
      } as never),
    [
      'capacity.read.least: there is no such setting',
      'capacity.read.maxCapacity: it is missing',
      "capacity.write.minCapacity: '1' is not a number",
    ],
  ],
  [
    'scheduled peaks',
    () =>
      TableCapacity.provisioned({
        read: range,
        write: range,
        scheduledPeaks: [
          null,
          { start: 'cron(0 8 * * ? *)', end },
          { start, end, read: 5 },
          { start, write: range },
        ],
      } as never),
    [
      'capacity.scheduledPeaks\\[0\\]: null is not an object',
      "capacity.scheduledPeaks\\[1\\].start: 'cron\\(0 8 \\* \\* \\? \\*\\)' is not a Schedule",
      'capacity.scheduledPeaks\\[2\\].read: 5 is not an object',
      'capacity.scheduledPeaks\\[3\\].end: it is missing',
    ],
  ],
  [
    'for a workload',
    () => TableCapacity.forWorkload(null as never, { headroom: '2', scheduledPeaks: {}, prices: 3 } as never),
    [
      "capacity.headroom: '2' is not a number",
      'capacity.scheduledPeaks: {} is not a list',
      'capacity: .*workload\\[0\\]',
    ],
  ],
];

it.each(capacities)('a capacity %s reports all that is wrong', (_what, capacityOf, reports) => {
  const stack = unbundledStack();
  new SagaTable(stack, 'Sagas', { capacity: capacityOf() });
  const found = violationsOf(stack);
  for (const report of reports) expect(found).toMatch(new RegExp(`\\[Test/Sagas\\] ${report}`));
});

it('what is wrong in an object is reported beside what is wrong with the rest of it', () => {
  const { stack, orders } = ordersEndpoint((scope) => ({
    claimCheck: { bucket: new Bucket(scope, 'Bodies'), thresholdBytes: '1' } as never,
    environment: { PORT: 80, HOST: undefined } as never,
    leadingKeys: { sagas: ['order', 5], saga: 'order' } as never,
    sourcesByNamePattern: [1] as never,
  }));
  new EndpointMonitoring(stack, 'Monitoring', {
    endpoint: orders,
    alarms: {
      deadLetters: { threshold: '5', severity: 'high' },
      errors: null,
      idle: false,
      silent: { threshold: -1 },
    },
    topics: { pager: new Topic(stack, 'Pager') },
    alarmActions: ['arn:aws:sns:eu-west-1:111111111111:pager'],
  } as never);
  new SagaTable(stack, 'Sagas', { capacityAlarms: { alarms: { readThrottles: 5 } } } as never);
  const found = violationsOf(stack);
  for (const report of [
    "[Test/Orders] claimCheck.thresholdBytes: '1' is not a number. Use one.",
    '[Test/Orders] environment.PORT: 80 is not a string. Use one.',
    '[Test/Orders] leadingKeys.sagas[1]: 5 is not a string. Use one.',
    "[Test/Orders] leadingKeys.saga: there is no such setting (did you mean 'sagas'?). Rename it, or leave it out.",
    '[Test/Orders] sourcesByNamePattern[0]: 1 is not a string. Use one.',
    "[Test/Monitoring] alarms.deadLetters.threshold: '5' is not a number. Use one.",
    "[Test/Monitoring] alarms.deadLetters.severity: 'high' is not known. Use 'critical' or 'warning'.",
    '[Test/Monitoring] alarms.errors: null is not false or an object. Use one.',
    '[Test/Monitoring] alarms.idle: there is no such setting.',
    '[Test/Monitoring] alarms.silent.threshold: -1 is out of range.',
    "[Test/Monitoring] topics.pager: there is no such setting (did you mean 'critical' or 'warning'?). Rename it, or leave it out.",
    "[Test/Monitoring] alarmActions[0]: 'arn:aws:sns:eu-west-1:111111111111:pager' is not an action of an alarm.",
    '[Test/Sagas] capacityAlarms.alarms.readThrottles: 5 is not false or an object. Use one.',
  ])
    expect(found).toContain(report);
});

it('what is known only at deployment is of the right kind', () => {
  const text = (value: string) => Lazy.string({ produce: () => value });
  const { stack, orders } = ordersEndpoint({
    queueName: text('orders'),
    maxReceiveCount: Lazy.number({ produce: () => 5 }),
    enabled: Token.asAny({ Ref: 'Enabled' }) as never,
    environment: { HOST: text('localhost') },
  });
  new OutboxTable(stack, 'Outbox', { tableName: text('outbox'), tableClass: text('STANDARD') as never });
  MessageEndpoint.fromMessageEndpointAttributes(stack, 'Billing', {
    endpointName: 'billing',
    queueArn: text('arn'),
  });
  SagaTable.fromTableAttributes(stack, 'Imported', { tableArn: text('arn') });
  orders.sendsTo({
    name: 'mail',
    queue: new Queue(stack, 'Mail'),
    maxMessageSizeBytes: Lazy.number({ produce: () => 5 }),
  });
  expect(violationsOf(stack)).toBe('');
});

it.each([
  [{ tableName: '' }, 'tableName, tableArn: neither is given'],
  [
    { tableName: 'a', tableArn: 'arn:aws:dynamodb:eu-west-1:111111111111:table/a' },
    'tableName, tableArn: both are given',
  ],
  [
    { tableArn: 'arn:aws:sqs:eu-west-1:111111111111:a' },
    "tableArn: 'arn:aws:sqs:eu-west-1:111111111111:a' is not the ARN",
  ],
  [{ tableArn: 'arn:aws:dynamodb:eu-west-1:111111111111:table/a' }, ''],
])('a table that is imported by %j is reported: %s', (attributes, report) => {
  const stack = unbundledStack();
  SagaTable.fromTableAttributes(stack, 'It', attributes);
  const found = violationsOf(stack);
  if (report === '') expect(found).toBe('');
  else expect(found).toContain(`[Test/It] ${report}`);
});

describe('wrong calls of an endpoint', () => {
  it.each([...wrongValues, {}])('are reported at synth, all at once: %p', (value) => {
    const { stack, orders } = ordersEndpoint();
    orders.sendsTo(value as never);
    orders.sendsTo({ name: value, queue: value, bogus: 1 } as never, { name: 'mail' } as never);
    orders.publishesTo(value as never, { messageTypes: [value], bogus: 1 } as never);
    orders.publishesTo(new Topic(stack, 'Events'), value as never);
    const found = violationsOf(stack);
    const reports = [
      /sendsTo(: .* is not an endpoint, or a queue|.name: it is missing)/,
      /sendsTo.queue: .* is not a queue/,
      /sendsTo.bogus: there is no such setting/,
      /sendsTo: the destination 'mail' has none of queue, topic and eventBus/,
      /publishesTo: .* is not a topic or an event bus/,
      /publishesTo.bogus: there is no such setting/,
    ];
    for (const report of reports) expect(found).toMatch(new RegExp(`\\[Test/Orders\\] ${report.source}`));
    if (typeof value !== 'string') expect(found).toContain('publishesTo.messageTypes[0]: ');
    expect(found).not.toMatch(/TypeError|undefined/);
  });

  it('take one target each', () => {
    const { stack, orders } = ordersEndpoint();
    orders.sendsTo({
      name: 'mail',
      queue: new Queue(stack, 'Mail'),
      topic: new Topic(stack, 'Events'),
    } as never);
    expect(violationsOf(stack)).toContain(
      "the destination 'mail' has none of queue, topic and eventBus, or several",
    );
  });
});

describe('methods that return something refuse at once', () => {
  const { stack, orders } = ordersEndpoint();
  const billing = MessageEndpoint.fromMessageEndpointAttributes(stack, 'Billing', {
    endpointName: 'billing',
    queueArn: 'arn:aws:sqs:eu-west-1:111111111111:billing',
  });
  const table = new OutboxTable(stack, 'Outbox');
  const imported = SagaTable.fromTableName(stack, 'Imported', 'imported');
  const scheduler = new MessageScheduler(stack, 'Scheduler');
  const monitoring = new EndpointMonitoring(stack, 'Monitoring', {
    endpoint: inlineEndpoint(stack, 'Watched'),
  });
  const topic = new Topic(stack, 'Events');
  const bus = new EventBus(stack, 'Company');

  it.each<[string, (value: never) => unknown, string]>([
    ['grantDispatch', (value) => orders.grantDispatch(value), 'grantee: '],
    ['grantOperate', (value) => orders.grantOperate(value), 'grantee: '],
    ['grantSendMessages', (value) => orders.grantSendMessages(value), 'grantee: '],
    ['grantSendMessages', (value) => billing.grantSendMessages(value), 'grantee: '],
    ['grantSagaAccess', (value) => table.grantSagaAccess(value), 'grantee: '],
    ['grantSagaAccess', (value) => imported.grantSagaAccess(value), 'grantee: '],
    ['grantOutboxAccess', (value) => table.grantOutboxAccess(value), 'grantee: '],
    ['grantOutboxAccess', (value) => imported.grantOutboxAccess(value), 'grantee: '],
    ['grantSchedule', (value) => scheduler.grantSchedule(value), 'grantee: '],
    ['alarmsNamed', (value) => monitoring.alarmsNamed(value), 'names[0]: '],
    ['subscribesTo', (value) => orders.subscribesTo(value), ''],
    ['subscribesTo', (value) => orders.subscribesTo(topic, value), 'options: '],
    ['subscribesTo', (value) => orders.subscribesTo(bus, value), 'options: '],
    [
      'subscribesTo',
      (value) => orders.subscribesTo(topic, { messageTypes: [value, 'A', 5] } as never),
      'options.',
    ],
    [
      'subscribesTo',
      (value) => orders.subscribesTo(topic, { filterPolicy: { type: value } }),
      'options.filter',
    ],
    ['subscribesTo', (value) => orders.subscribesTo(bus, { fromEndpoints: [value, 5] } as never), 'options.'],
    ['subscribesTo', (value) => orders.subscribesTo(bus, { eventPattern: value }), 'options.eventPattern: '],
  ])('%s (%#)', (method, call, report) => {
    for (const value of wrongValues) {
      const error = refusal(() => call(value as never));
      expect(error.code).toBe('Configuration');
      expect(error.message).toContain(`${method} of 'Test/`);
      expect(error.message).toContain(`': ${report}`);
    }
  });
});

it('what is set to undefined is not given, whether there is such a setting or not', () => {
  const { stack } = ordersEndpoint({
    batchSize: undefined,
    team: undefined,
    environment: { LOG_LEVEL: undefined, TEAM: 'shop' },
  } as never);
  expect(violationsOf(stack)).toBe('');
});
