import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { Aws, CfnParameter, Duration, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { type BundledEndpointProps, MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';
import { SagaboxError } from '../../lib/core/errors.ts';
import { allowedActions, inlineFunction, policyStatements, propertiesOf, unbundledStack } from './support.ts';
import { variablesOf } from './variables.ts';
import { violationsOf } from './violations.ts';

const FUNCTION = 'AWS::Lambda::Function';
const QUEUE = 'AWS::SQS::Queue';
const MAPPING = 'AWS::Lambda::EventSourceMapping';
const featureFlags = createRequire(import.meta.url)('aws-cdk-lib/recommended-feature-flags.json');
const entry = new URL('../../lambdas/billing.ts', import.meta.url).pathname;

function bundledEndpoint(props: Partial<BundledEndpointProps> = {}): Stack {
  const stack = unbundledStack();
  new MessageEndpoint(stack, 'Orders', { entry, ...props });
  return stack;
}

describe('the function of an endpoint', () => {
  it('runs on Node 24, on ARM, for 30 s with 512 MB', () => {
    expect(propertiesOf(bundledEndpoint(), FUNCTION)).toMatchObject({
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Architectures: ['arm64'],
      Timeout: 30,
      MemorySize: 512,
    });
  });

  it('reads its endpoint, tables and destinations from the environment', () => {
    const stack = unbundledStack();
    const sagaTable = new SagaTable(stack, 'Sagas');
    const outboxTable = new OutboxTable(stack, 'Outbox');
    new MessageEndpoint(stack, 'Orders', { entry, sagaTable, outboxTable, environment: { CURRENCY: 'EUR' } });
    expect(propertiesOf(stack, FUNCTION).Environment).toEqual({
      Variables: {
        CURRENCY: 'EUR',
        SAGABOX_ENDPOINT: 'orders',
        SAGABOX_DESTINATIONS: {
          'Fn::Join': ['', ['{"orders":"', { Ref: expect.stringMatching(/^OrdersQueue/) }, '"}']],
        },
        SAGABOX_ERROR_QUEUE: { Ref: expect.stringMatching(/^OrdersErrorQueue/) },
        SAGABOX_MAX_RECEIVE_COUNT: '5',
        SAGABOX_SAGA_TABLE: { Ref: expect.stringMatching(/^Sagas/) },
        SAGABOX_OUTBOX_TABLE: { Ref: expect.stringMatching(/^Outbox/) },
        SAGABOX_TIME_TO_KEEP_DEDUPLICATION_DATA_SECONDS: '604800',
      },
    });
  });

  it('has no variable of a table or an error queue that the endpoint does not have', () => {
    const { Environment } = propertiesOf(bundledEndpoint({ errorQueue: false }), FUNCTION);
    const { Variables } = Environment as { Variables: object };
    expect(Object.keys(Variables).sort()).toEqual([
      'SAGABOX_DESTINATIONS',
      'SAGABOX_ENDPOINT',
      'SAGABOX_MAX_RECEIVE_COUNT',
    ]);
  });

  it('may exist already', () => {
    const stack = unbundledStack();
    new MessageEndpoint(stack, 'Orders', {
      endpointName: 'Order desk',
      function: inlineFunction(stack, 'Own', Duration.seconds(7)),
    });
    expect(propertiesOf(stack, FUNCTION)).toMatchObject({
      Timeout: 7,
      Environment: { Variables: { SAGABOX_ENDPOINT: 'Order desk' } },
    });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({ VisibilityTimeout: 42 });
  });
});

describe('the queue of an endpoint', () => {
  it('hides a message 6 times as long as the function may run, and hands it to the dead letter queue at last', () => {
    const stack = bundledEndpoint({ functionTimeout: Duration.seconds(20) });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({
      VisibilityTimeout: 120,
      MessageRetentionPeriod: 345_600,
      SqsManagedSseEnabled: true,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [expect.stringMatching(/^OrdersDeadLetterQueue/), 'Arn'] },
        maxReceiveCount: 5,
      },
    });
    expect(propertiesOf(stack, QUEUE, 'OrdersDeadLetterQueue')).toEqual({
      MessageRetentionPeriod: 604_800,
      SqsManagedSseEnabled: true,
    });
  });

  it('reckons with the 3 s of Lambda for a function without a timeout', () => {
    const stack = unbundledStack();
    new MessageEndpoint(stack, 'Orders', { function: inlineFunction(stack, 'Own') });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({ VisibilityTimeout: 18 });
  });

  it('takes times and counts of its own', () => {
    const stack = bundledEndpoint({
      visibilityTimeout: Duration.minutes(10),
      retention: Duration.days(2),
      deadLetterRetention: Duration.days(3),
      maxReceiveCount: 1,
    });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({
      VisibilityTimeout: 600,
      MessageRetentionPeriod: 172_800,
      RedrivePolicy: { maxReceiveCount: 1 },
    });
    expect(propertiesOf(stack, QUEUE, 'OrdersDeadLetterQueue')).toMatchObject({
      MessageRetentionPeriod: 259_200,
    });
  });

  it('is FIFO together with its dead letter queue', () => {
    const stack = bundledEndpoint({ fifo: true });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({ FifoQueue: true });
    expect(propertiesOf(stack, QUEUE, 'OrdersDeadLetterQueue')).toMatchObject({ FifoQueue: true });
  });

  it('tells the function how often it delivers a message', () => {
    const { Environment } = propertiesOf(bundledEndpoint({ maxReceiveCount: 8 }), FUNCTION);
    expect(Environment).toMatchObject({ Variables: { SAGABOX_MAX_RECEIVE_COUNT: '8' } });
  });

  it('feeds the function in batches whose failures are reported one by one', () => {
    expect(propertiesOf(bundledEndpoint(), MAPPING)).toEqual({
      BatchSize: 10,
      EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^OrdersQueue/), 'Arn'] },
      FunctionName: { Ref: expect.stringMatching(/^OrdersFunction/) },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(propertiesOf(bundledEndpoint({ batchSize: 3, maxConcurrency: 7 }), MAPPING)).toMatchObject({
      BatchSize: 3,
      ScalingConfig: { MaximumConcurrency: 7 },
    });
  });

  it('refuses calls that are not encrypted', () => {
    const policies = Object.values(
      Template.fromStack(bundledEndpoint()).findResources('AWS::SQS::QueuePolicy'),
    );
    expect(policies).toHaveLength(3);
    expect(JSON.stringify(policies)).toContain('"aws:SecureTransport":"false"');
  });
});

const consume = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:GetQueueUrl',
  'sqs:ReceiveMessage',
];
const sagaAccess = [
  'dynamodb:BatchGetItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
];
const outboxAccess = [
  'dynamodb:BatchGetItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
];

describe('the error queue of an endpoint', () => {
  it('is encrypted, and keeps messages for 7 days', () => {
    expect(propertiesOf(bundledEndpoint(), QUEUE, 'OrdersErrorQueue')).toEqual({
      MessageRetentionPeriod: 604_800,
      SqsManagedSseEnabled: true,
    });
  });

  it('is of the kind of the endpoint, and keeps messages as long as its dead letter queue', () => {
    const stack = bundledEndpoint({ fifo: true, deadLetterRetention: Duration.days(5) });
    expect(propertiesOf(stack, QUEUE, 'OrdersErrorQueue')).toMatchObject({
      FifoQueue: true,
      MessageRetentionPeriod: 432_000,
    });
  });

  it('may be a queue that is there already', () => {
    const stack = unbundledStack();
    const errorQueue = new Queue(stack, 'Errors');
    const orders = new MessageEndpoint(stack, 'Orders', { entry, errorQueue });
    expect(orders.errorQueue).toBe(errorQueue);
    expect(allowedActions(stack)['Allow Errors']).toEqual(['sqs:SendMessage']);
    expect(propertiesOf(stack, FUNCTION).Environment).toMatchObject({
      Variables: { SAGABOX_ERROR_QUEUE: { Ref: expect.stringMatching(/^Errors/) } },
    });
    expect(Object.keys(Template.fromStack(stack).findResources(QUEUE))).toHaveLength(3);
  });

  it('may be left out: then its metric is refused', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { entry, errorQueue: false });
    expect(orders.errorQueue).toBeUndefined();
    expect(Object.keys(Template.fromStack(stack).findResources(QUEUE))).toHaveLength(2);
    expect(() => orders.metricErrors()).toThrow(/errorQueue of 'Test\/Orders': it is false/);
  });

  it('has a metric of the messages that wait in it', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { entry });
    const { metricName, dimensions } = orders.metricErrors();
    expect(metricName).toBe('ApproximateNumberOfMessagesVisible');
    expect(dimensions).toEqual({ QueueName: orders.errorQueue?.queueName });
  });
});

describe('the permissions of an endpoint', () => {
  it.each([
    ['no', {}],
    ['the recommended', featureFlags],
  ])(
    'are exactly the calls of the runtime, each on its own resource, with %s feature flags',
    (_which, flags) => {
      const stack = unbundledStack(flags);
      const orders = new MessageEndpoint(stack, 'Orders', {
        entry,
        sagaTable: new SagaTable(stack, 'Sagas'),
        outboxTable: new OutboxTable(stack, 'Outbox'),
      });
      orders.sendsTo({ name: 'mail', queue: new Queue(stack, 'Mail') });
      expect(allowedActions(stack)).toEqual({
        'Allow Sagas': sagaAccess,
        'Allow Outbox': outboxAccess,
        'Allow OrdersQueue': [...consume, 'sqs:SendMessage'],
        'Allow OrdersErrorQueue': ['sqs:SendMessage'],
        'Allow Mail': ['sqs:SendMessage'],
      });
    },
  );

  it('on a table that is both are one statement', () => {
    const stack = unbundledStack();
    const table = new SagaTable(stack, 'Both');
    new MessageEndpoint(stack, 'Orders', { entry, sagaTable: table, outboxTable: table });
    expect(allowedActions(stack)['Allow Both']).toEqual(
      [...new Set([...sagaAccess, ...outboxAccess])].sort(),
    );
  });

  it('name no wildcard, and no index', () => {
    const stack = unbundledStack();
    const table = new SagaTable(stack, 'Both', { recoveryIndex: true });
    new MessageEndpoint(stack, 'Orders', { entry, sagaTable: table, outboxTable: table });
    expect(JSON.stringify(policyStatements(stack))).not.toContain('*');
  });

  it('include the key of an encrypted destination', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { entry });
    orders.sendsTo({
      name: 'mail',
      queue: new Queue(stack, 'Mail', { encryptionMasterKey: new Key(stack, 'Key') }),
    });
    expect(allowedActions(stack)['Allow Key']).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
  });

  it('to send can be given to others', () => {
    const stack = unbundledStack();
    new MessageEndpoint(stack, 'Orders', { entry }).grantSendMessages(inlineFunction(stack, 'Shop'));
    expect(allowedActions(stack, 'Shop')).toEqual({ 'Allow OrdersQueue': ['sqs:SendMessage'] });
  });
});

describe('the destinations of an endpoint', () => {
  it('may send to each other', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { entry });
    const billing = new MessageEndpoint(stack, 'Billing', { entry });
    orders.sendsTo(billing);
    billing.sendsTo(orders);
    // Template.fromStack throws when resources depend on each other.
    expect(propertiesOf(stack, FUNCTION, 'Billing')).toMatchObject({
      Environment: {
        Variables: {
          SAGABOX_DESTINATIONS: {
            'Fn::Join': ['', ['{"billing":"', expect.anything(), '","orders":"', expect.anything(), '"}']],
          },
        },
      },
    });
    expect(allowedActions(stack, 'Billing')).toEqual({
      'Allow BillingQueue': [...consume, 'sqs:SendMessage'],
      'Allow BillingErrorQueue': ['sqs:SendMessage'],
      'Allow OrdersQueue': ['sqs:SendMessage'],
    });
  });

  it('may be named twice without any effect', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { entry });
    const mail = { name: 'mail', queue: new Queue(stack, 'Mail') };
    orders.sendsTo(mail, mail);
    orders.sendsTo(mail, orders);
    // To Mail, to its own queue and to its error queue.
    expect(policyStatements(stack).filter(({ Action }) => Action === 'sqs:SendMessage')).toHaveLength(3);
  });

  it('may be imported twice', () => {
    const stack = unbundledStack();
    const arn = 'arn:aws:sqs:eu-west-1:111111111111:mail';
    const [mail, again] = ['Mail', 'Again'].map((id) => Queue.fromQueueArn(stack, id, arn));
    const other = Queue.fromQueueArn(stack, 'Other', `${arn}2`);
    const orders = new MessageEndpoint(stack, 'Orders', { entry });
    for (const queue of [mail, again]) if (queue) orders.sendsTo({ name: 'mail', queue });
    expect(policyStatements(stack).filter(({ Resource }) => Resource === arn)).toHaveLength(1);
    expect(() => orders.sendsTo({ name: 'mail', queue: other })).toThrow(
      "'mail' already stands for the queue",
    );
  });

  it('keep their names to themselves', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { entry });
    const sendTo = (name: string) => () => orders.sendsTo({ name, queue: new Queue(stack, `To ${name}`) });
    expect(sendTo('orders')).toThrow(
      "the destination 'orders' already stands for the queue 'Test/Orders/Queue'",
    );
    expect(sendTo('')).toThrow('a destination has an empty name');
    expect(sendTo('mail')).not.toThrow();
  });

  it('may be queues of other stacks', () => {
    const stack = unbundledStack();
    const queue = Queue.fromQueueArn(stack, 'Imported', `arn:aws:sqs:${Aws.REGION}:${Aws.ACCOUNT_ID}:audit`);
    new MessageEndpoint(stack, 'Orders', { entry }).sendsTo({ name: 'audit', queue });
    expect(JSON.stringify(propertiesOf(stack, FUNCTION))).toContain('/audit\\"}');
  });
});

describe('the metrics of an endpoint', () => {
  it('show its queues', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { entry });
    const namesAndQueues = [
      orders.metricWaitingMessages(),
      orders.metricAgeOfOldestMessageSeconds({ period: Duration.minutes(1) }),
      orders.metricDeadLetters(),
    ].map((metric) => stack.resolve([metric.metricName, metric.dimensions?.QueueName]));
    expect(namesAndQueues).toEqual([
      [
        'ApproximateNumberOfMessagesVisible',
        { 'Fn::GetAtt': [expect.stringMatching(/^OrdersQueue/), 'QueueName'] },
      ],
      [
        'ApproximateAgeOfOldestMessage',
        { 'Fn::GetAtt': [expect.stringMatching(/^OrdersQueue/), 'QueueName'] },
      ],
      [
        'ApproximateNumberOfMessagesVisible',
        { 'Fn::GetAtt': [expect.stringMatching(/^OrdersDeadLetterQueue/), 'QueueName'] },
      ],
    ]);
  });
});

describe('settings that are invalid by themselves', () => {
  it.each<[Partial<BundledEndpointProps>, string | undefined]>([
    [{ endpointName: '' }, 'endpointName: '],
    [{ batchSize: 0 }, 'batchSize: 0 is out of range. Use a whole number from 1 to 10.'],
    [{ batchSize: 1 }, undefined],
    [{ batchSize: 1.5 }, 'batchSize: '],
    [{ batchSize: 10 }, undefined],
    [{ batchSize: 11 }, 'batchSize: '],
    [{ maxConcurrency: 1 }, 'maxConcurrency: '],
    [{ maxConcurrency: 2 }, undefined],
    [{ maxConcurrency: 1000 }, undefined],
    [{ maxConcurrency: 1001 }, 'maxConcurrency: '],
    [
      { environment: { SAGABOX_ENDPOINT: 'x', A: 'b' } },
      'environment: SAGABOX_ENDPOINT would be overwritten',
    ],
  ])('%j: %s', (props, message) => {
    if (message === undefined) {
      expect(() => bundledEndpoint(props)).not.toThrow();
      return;
    }
    expect(() => bundledEndpoint(props)).toThrow(SagaboxError);
    expect(() => bundledEndpoint(props)).toThrow(message);
  });

  it('refuse to reckon with a timeout that is known only at deployment', () => {
    const endpointWith = (visibility?: Duration) => {
      const stack = unbundledStack();
      const seconds = new CfnParameter(stack, 'Seconds', { type: 'Number' }).valueAsNumber;
      new MessageEndpoint(stack, 'Orders', {
        function: inlineFunction(stack, 'Own', Duration.seconds(seconds)),
        ...(visibility === undefined ? {} : { visibilityTimeout: visibility }),
      });
      return stack;
    };
    expect(() => endpointWith()).toThrow('visibilityTimeout: ');
    expect(violationsOf(endpointWith(Duration.minutes(5)))).toBe('');
  });
});

describe('the recovery index of an endpoint', () => {
  const isWritten = (outboxTable: BundledEndpointProps['outboxTable'], stack: Stack, given?: boolean) => {
    const orders = new MessageEndpoint(stack, 'Orders', {
      entry,
      ...(outboxTable && { outboxTable }),
      ...(given === undefined ? {} : { recoveryIndex: given }),
    });
    const { SAGABOX_RECOVERY_INDEX: variable } = variablesOf(stack, 'Orders');
    expect(variable).toBe(orders.hasRecoveryIndex ? 'true' : undefined);
    return orders.hasRecoveryIndex;
  };

  it.each([
    [true, undefined, true],
    [false, undefined, false],
    [true, false, false],
    [true, true, true],
    [false, false, false],
  ])('follows its table (%s), unless it is told (%s): %s', (recoveryIndex, given, written) => {
    const stack = unbundledStack();
    expect(isWritten(new OutboxTable(stack, 'Outbox', { recoveryIndex }), stack, given)).toBe(written);
  });

  it.each([
    [undefined, false],
    [true, true],
  ])('of a table that does not tell of one is what it is told (%s): %s', (given, written) => {
    const keys = {
      partitionKey: { name: 'PK', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
    };
    for (const make of [
      (stack: Stack) => Table.fromTableName(stack, 'Outbox', 'outbox'),
      (stack: Stack) => new TableV2(stack, 'Outbox', keys),
    ]) {
      const stack = unbundledStack();
      expect(isWritten(make(stack), stack, given)).toBe(written);
    }
  });

  it('needs a table that has it', () => {
    const stack = unbundledStack();
    expect(() => isWritten(new OutboxTable(stack, 'Outbox'), stack, true)).toThrow(
      "recoveryIndex: it is true, and 'Test/Outbox' has none. Give the table a recoveryIndex",
    );
    expect(() => isWritten(undefined, unbundledStack(), true)).toThrow('there is no outboxTable');
  });
});

describe('settings that contradict each other', () => {
  it('are reported at synth, all at once and for all endpoints', () => {
    const stack = unbundledStack();
    const outboxTable = new OutboxTable(stack, 'Outbox');
    new MessageEndpoint(stack, 'Orders', {
      entry,
      outboxTable,
      endpointName: 'or#ders',
      functionTimeout: Duration.seconds(10),
      visibilityTimeout: Duration.seconds(59),
      retention: Duration.days(8),
      deadLetterRetention: Duration.days(7),
      maxReceiveCount: 0,
    });
    new MessageEndpoint(stack, 'Billing', { entry, outboxTable, endpointName: 'or#ders' });
    const messages = violationsOf(stack);
    for (const start of [
      '[Test/Orders] endpointName: "or#ders" cannot be part of a key',
      "[Test/Orders] endpointName: 'or#ders' is also the name of Test/Billing",
      '[Test/Orders] visibilityTimeout: 59 s',
      '[Test/Orders] retention: ',
      '[Test/Orders] deadLetterRetention: ',
      '[Test/Orders] maxReceiveCount: 0',
      '[Test/Billing] endpointName: "or#ders" cannot be part of a key',
      "[Test/Billing] endpointName: 'or#ders' is also the name of Test/Orders",
    ]) {
      expect(messages).toContain(start);
    }
  });

  it('are judged by the limit itself', () => {
    const visible = (seconds: number) =>
      bundledEndpoint({
        functionTimeout: Duration.seconds(10),
        visibilityTimeout: Duration.seconds(seconds),
      });
    expect(violationsOf(visible(60))).toBe('');
    expect(violationsOf(visible(59))).toContain('Use at least 60 s');
  });

  it('do not keep endpoints with one name from deduplicating on tables of their own', () => {
    const stack = unbundledStack();
    for (const id of ['Orders', 'Billing']) {
      const outboxTable = new OutboxTable(stack, `${id}Outbox`);
      new MessageEndpoint(stack, id, { entry, outboxTable, endpointName: 'desk' });
    }
    expect(violationsOf(stack)).toBe('');
  });

  it('include one function for two endpoints', () => {
    const stack = unbundledStack();
    const shared = inlineFunction(stack, 'Own');
    new MessageEndpoint(stack, 'Orders', { function: shared });
    new MessageEndpoint(stack, 'Billing', { function: shared });
    expect(violationsOf(stack)).toContain('[Test/Orders] function: it also serves Test/Billing');
  });

  it.each([
    [{ sortKey: { name: 'any', type: AttributeType.STRING } }, false],
    [{ sortKey: { name: 'any', type: AttributeType.NUMBER } }, true],
    [{}, true],
  ])('include a table with the keys %j: %s', (keys, refused) => {
    const partitionKey = { name: 'id', type: AttributeType.STRING };
    for (const Any of [Table, TableV2]) {
      const stack = unbundledStack();
      const outboxTable = new Any(stack, 'Own', { partitionKey, ...keys });
      new MessageEndpoint(stack, 'Orders', { entry, outboxTable });
      expect(violationsOf(stack).includes('Test/Own lacks a partition key and a sort key')).toBe(refused);
    }
  });
});
