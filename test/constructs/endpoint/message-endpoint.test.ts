import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { Aws, CfnParameter, Duration, type Stack } from 'aws-cdk-lib';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { type BundledEndpointProps, OutboxTable, SagaTable } from 'sagabox/constructs';
import {
  allowedActions,
  inlineEndpoint,
  inlineFunction,
  ordersEndpoint,
  policyStatements,
  variablesOf,
  violationsOf,
} from '../support.ts';

const featureFlags = createRequire(import.meta.url)('aws-cdk-lib/recommended-feature-flags.json');

const consume = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ReceiveMessage',
];
const sagaAccess = [
  'dynamodb:BatchGetItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
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
      const tables = (scope: Stack) => ({
        sagaTable: new SagaTable(scope, 'Sagas'),
        outboxTable: new OutboxTable(scope, 'Outbox'),
      });
      const { stack, orders } = ordersEndpoint(tables, flags);
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

  it('are the same of a pessimistic one, whose function is told so', () => {
    const { stack } = ordersEndpoint((scope) => ({
      sagaTable: new SagaTable(scope, 'Sagas'),
      locking: 'pessimistic',
    }));
    expect(allowedActions(stack)['Allow Sagas']).toEqual(sagaAccess);
    expect(variablesOf(stack, 'Own').SAGABOX_LOCKING).toBe('pessimistic');
  });

  it('on a table that is both are one statement', () => {
    const { stack } = ordersEndpoint((scope) => {
      const table = new SagaTable(scope, 'Both', { relayStream: true });
      return { sagaTable: table, outboxTable: table };
    });
    expect(allowedActions(stack)['Allow Both']).toEqual(
      [...new Set([...sagaAccess, ...outboxAccess])].sort(),
    );
    // Neither a wildcard nor the stream.
    expect(JSON.stringify(policyStatements(stack))).not.toContain('*');
  });

  it('are one statement, too, when it is imported twice', () => {
    const { stack } = ordersEndpoint((scope) => ({
      sagaTable: Table.fromTableName(scope, 'Sagas', 'both'),
      outboxTable: Table.fromTableName(scope, 'Outbox', 'both'),
    }));
    const statements = policyStatements(stack).filter(({ Action }) => String(Action).includes('dynamodb:'));
    expect(statements.map(({ Action }) => Action)).toEqual([
      [...new Set([...sagaAccess, ...outboxAccess])].sort(),
    ]);
  });

  it('include the key of an encrypted destination', () => {
    const { stack, orders } = ordersEndpoint();
    orders.sendsTo({
      name: 'mail',
      queue: new Queue(stack, 'Mail', { encryptionMasterKey: new Key(stack, 'Key') }),
    });
    expect(allowedActions(stack)['Allow Key']).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
  });

  it('to send can be given to others', () => {
    const { stack, orders } = ordersEndpoint();
    orders.grantSendMessages(inlineFunction(stack, 'Shop'));
    expect(allowedActions(stack, 'Shop')).toEqual({ 'Allow OrdersQueue': ['sqs:SendMessage'] });
  });
});

describe('the destinations of an endpoint', () => {
  it('may send to each other', () => {
    const { stack, orders } = ordersEndpoint();
    const billing = inlineEndpoint(stack, 'Billing');
    orders.sendsTo(billing);
    billing.sendsTo(orders);
    // Template.fromStack throws when resources depend on each other.
    expect(variablesOf(stack, 'Billing').SAGABOX_DESTINATIONS).toEqual({
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
    });
    expect(allowedActions(stack, 'Billing')).toEqual({
      'Allow BillingQueue': [...consume, 'sqs:SendMessage'],
      'Allow BillingErrorQueue': ['sqs:SendMessage'],
      'Allow OrdersQueue': ['sqs:SendMessage'],
    });
  });

  it('may be named twice without any effect', () => {
    const { stack, orders } = ordersEndpoint();
    const mail = { name: 'mail', queue: new Queue(stack, 'Mail') };
    orders.sendsTo(mail, mail);
    orders.sendsTo(mail, orders);
    // To Mail, to its own queue and to its error queue.
    expect(policyStatements(stack).filter(({ Action }) => Action === 'sqs:SendMessage')).toHaveLength(3);
  });

  it('may be imported twice', () => {
    const { stack, orders } = ordersEndpoint();
    const arn = 'arn:aws:sqs:eu-west-1:111111111111:mail';
    for (const id of ['Mail', 'Again'])
      orders.sendsTo({ name: 'mail', queue: Queue.fromQueueArn(stack, id, arn) });
    const other = Queue.fromQueueArn(stack, 'Other', `${arn}2`);
    expect(policyStatements(stack).filter(({ Resource }) => Resource === arn)).toHaveLength(1);
    orders.sendsTo({ name: 'mail', queue: other });
    expect(orders.node.validate().join()).toContain("sendsTo: the destination 'mail' already stands for");
  });

  it('keep their names to themselves', () => {
    const { stack, orders } = ordersEndpoint();
    for (const name of ['orders', '', 'mail'])
      orders.sendsTo({ name, queue: new Queue(stack, `To ${name}`) });
    const found = violationsOf(stack);
    expect(found).toContain("the destination 'orders' already stands for the queue 'Test/Orders/Queue'");
    expect(found).toContain('a destination has an empty name');
    expect(found).not.toContain("'mail'");
  });

  it('may be queues of other stacks', () => {
    const { stack, orders } = ordersEndpoint();
    const queue = Queue.fromQueueArn(stack, 'Imported', `arn:aws:sqs:${Aws.REGION}:${Aws.ACCOUNT_ID}:audit`);
    orders.sendsTo({ name: 'audit', queue });
    const elsewhere = Queue.fromQueueArn(stack, 'Elsewhere', 'arn:aws:sqs:eu-west-1:111111111111:audit');
    orders.sendsTo({ name: 'elsewhere', queue: elsewhere });
    const destinations = JSON.stringify(variablesOf(stack, 'Own').SAGABOX_DESTINATIONS);
    expect(destinations).toContain('\\"audit\\":\\"audit\\"');
    expect(destinations).toMatch(/elsewhere.*https.*111111111111\/audit\\"}/);
  });
});

describe('settings that follow from others', () => {
  it('are reported when a timeout is known only at deployment', () => {
    const endpointWith = (props: Pick<BundledEndpointProps, 'visibilityTimeout'>) =>
      ordersEndpoint((scope) => {
        const seconds = new CfnParameter(scope, 'Seconds', { type: 'Number' }).valueAsNumber;
        return { function: inlineFunction(scope, 'Late', Duration.seconds(seconds)), ...props };
      });
    expect(violationsOf(endpointWith({}).stack)).toContain('visibilityTimeout: it follows from');
    expect(violationsOf(endpointWith({ visibilityTimeout: Duration.minutes(5) }).stack)).toBe('');
  });
});
