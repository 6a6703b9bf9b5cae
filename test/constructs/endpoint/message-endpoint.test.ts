import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { Aws, CfnParameter, Duration, type Stack } from 'aws-cdk-lib';
import { AttributeType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { type BundledEndpointProps, MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';
import { SagaboxError } from '../../../lib/core/failures/errors.ts';
import {
  allowedActions,
  inlineFunction,
  policyStatements,
  propertiesOf,
  unbundledStack,
} from '../support.ts';
import { variablesOf } from '../variables.ts';
import { violationsOf } from '../violations.ts';
import { bundledEndpoint, entry } from './bundled-endpoint.ts';

const FUNCTION = 'AWS::Lambda::Function';
const featureFlags = createRequire(import.meta.url)('aws-cdk-lib/recommended-feature-flags.json');

const consume = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:GetQueueUrl',
  'sqs:ReceiveMessage',
];
const sagaAccess = [
  'dynamodb:BatchGetItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
];
const outboxAccess = [
  'dynamodb:BatchGetItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];

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

  it('are one statement, too, when it is imported twice', () => {
    const stack = unbundledStack();
    const [sagaTable, outboxTable] = ['Sagas', 'Outbox'].map((id) => Table.fromTableName(stack, id, 'both'));
    if (sagaTable === undefined || outboxTable === undefined) throw new Error('there are two');
    new MessageEndpoint(stack, 'Orders', { entry, sagaTable, outboxTable });
    const statements = policyStatements(stack).filter(({ Action }) => String(Action).includes('dynamodb:'));
    expect(statements.map(({ Action }) => Action)).toEqual([
      [...new Set([...sagaAccess, ...outboxAccess])].sort(),
    ]);
  });

  it('name no wildcard, and no index', () => {
    const stack = unbundledStack();
    const table = new SagaTable(stack, 'Both', { relayIndex: true });
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
            'Fn::Join': [
              '',
              [
                '{"billing":{"address":"',
                expect.anything(),
                '","maxMessageSizeBytes":1048576},"orders":{"address":"',
                expect.anything(),
                '","maxMessageSizeBytes":1048576}}',
              ],
            ],
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

describe('the relay index of an endpoint', () => {
  const isWritten = (outboxTable: BundledEndpointProps['outboxTable'], stack: Stack, given?: boolean) => {
    const orders = new MessageEndpoint(stack, 'Orders', {
      entry,
      ...(outboxTable && { outboxTable }),
      ...(given === undefined ? {} : { relayIndex: given }),
    });
    const { SAGABOX_RELAY_INDEX: variable } = variablesOf(stack, 'Orders');
    expect(variable).toBe(orders.hasRelayIndex ? 'true' : undefined);
    return orders.hasRelayIndex;
  };

  it.each([
    [true, undefined, true],
    [false, undefined, false],
    [true, false, false],
    [true, true, true],
    [false, false, false],
  ])('follows its table (%s), unless it is told (%s): %s', (relayIndex, given, written) => {
    const stack = unbundledStack();
    expect(isWritten(new OutboxTable(stack, 'Outbox', { relayIndex }), stack, given)).toBe(written);
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
      "relayIndex: it is true, and 'Test/Outbox' has none. Give the table a relayIndex",
    );
    expect(() => isWritten(undefined, unbundledStack(), true)).toThrow('there is no outboxTable');
  });
});
