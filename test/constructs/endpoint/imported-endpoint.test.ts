import { describe, expect, it } from '@jest/globals';
import { type App, Aws, Stack } from 'aws-cdk-lib';
import { AccountPrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { MessageEndpoint, type MessageEndpointAttributes } from 'sagabox/constructs';
import {
  allowedActions,
  expectViolation,
  inlineEndpoint,
  ordersEndpoint,
  propertiesOf,
  regionalStack,
  unbundledStack,
  variablesOf,
  violationsOf,
} from '../support.ts';

const queueArn = 'arn:aws:sqs:eu-west-1:222222222222:billing';

function importedBilling(scope: Stack, attributes: Partial<MessageEndpointAttributes> = {}) {
  return MessageEndpoint.fromMessageEndpointAttributes(scope, 'Imported', {
    endpointName: 'billing',
    queueArn,
    ...attributes,
  });
}

describe('an endpoint that is declared elsewhere', () => {
  it('is sent to by its name, and takes as much as an endpoint does', () => {
    const { stack, orders } = ordersEndpoint();
    orders.sendsTo(importedBilling(stack));
    const destinations = JSON.stringify(variablesOf(stack, 'Own').SAGABOX_DESTINATIONS);
    expect(destinations).toContain('billing');
    expect(destinations).toContain('1048576');
    expect(allowedActions(stack)).toHaveProperty([`Allow "${queueArn}"`], ['sqs:SendMessage']);
  });

  it('grants the use of its key too', () => {
    const { stack, orders } = ordersEndpoint();
    const keyArn = 'arn:aws:kms:eu-west-1:222222222222:key/1';
    orders.sendsTo(importedBilling(stack, { encryptionKey: Key.fromKeyArn(stack, 'Key', keyArn) }));
    expect(allowedActions(stack)[`Allow "${keyArn}"`]).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
  });

  it('has metrics of its queue, and the queues that it is told of', () => {
    const stack = unbundledStack();
    const billing = importedBilling(stack, { deadLetterQueueArn: `${queueArn}-dead-letters` });
    expect(billing.metricWaitingMessages().dimensions).toEqual({ QueueName: 'billing' });
    expect(billing.metricAgeOfOldestMessageSeconds().metricName).toBe('ApproximateAgeOfOldestMessage');
    expect(billing.deadLetterQueue?.queueName).toBe('billing-dead-letters');
    expect(billing.errorQueue).toBeUndefined();
  });

  it('has the metrics of its function when its namespace is known', () => {
    const stack = unbundledStack();
    const metric = importedBilling(stack, { metricsNamespace: 'Shop' }).metric('MessagesFailed');
    expect(metric).toMatchObject({
      namespace: 'Shop',
      metricName: 'MessagesFailed',
      dimensions: { endpoint: 'billing' },
    });
    expect(() => importedBilling(new Stack(stack, 'Other')).metric('MessagesFailed')).toThrow(
      "metricsNamespace of 'Test/Other/Imported': it is not set",
    );
  });

  it.each([
    [{ queueArn: `${queueArn}.fifo` }, 'FIFO'],
    [{ queueArn, fifo: true }, 'standard'],
    [{ queueArn: `arn:aws:sqs:${Aws.REGION}:${Aws.ACCOUNT_ID}:${Aws.STACK_NAME}`, fifo: true }, 'FIFO'],
  ])('with %j has a %s queue', (attributes, kind) => {
    const fifo = kind === 'FIFO';
    expect(importedBilling(unbundledStack(), attributes).queue.fifo).toBe(fifo);
  });

  it.each<[Partial<MessageEndpointAttributes>, string]>([
    [{}, 'no problem'],
    [{ queueArn: 'billing' }, "queueArn: 'billing' is not the ARN of a queue. Use one like arn:aws:sqs:"],
    [{ queueArn: undefined as never }, 'queueArn: undefined is not the ARN of a queue'],
    [{ queueArn: 'arn:aws:sns:eu-west-1:222222222222:billing' }, 'queueArn: '],
    [{ fifo: true }, `fifo: it is true, and '${queueArn}' is that of a standard queue. Leave it out`],
    [{ fifo: false }, 'no problem'],
    [{ fifo: true, queueArn: `${queueArn}.fifo` }, 'no problem'],
    [
      { fifo: false, queueArn: `${queueArn}.fifo` },
      `fifo: it is false, and '${queueArn}.fifo' is that of a FIFO`,
    ],
    [{ deadLetterQueueArn: 'x' }, "deadLetterQueueArn: 'x' is not the ARN of a queue"],
    [{ errorQueueArn: 'x' }, "errorQueueArn: 'x' is not the ARN of a queue"],
    [{ endpointName: '' }, 'endpointName: it is empty'],
    [{ maxMessageSizeBytes: 1023 }, 'maxMessageSizeBytes: 1023 is out of range'],
    [{ maxMessageSizeBytes: 1024 }, 'no problem'],
    [{ maxMessageSizeBytes: 1_048_577 }, 'maxMessageSizeBytes: 1048577 is out of range'],
  ])('with %j has at synth: %s', (attributes, report) => {
    const violation = report === 'no problem' ? '' : report;
    const { stack, orders } = ordersEndpoint();
    orders.sendsTo(importedBilling(stack, attributes));
    expectViolation(stack, violation && `[Test/Imported] ${violation}`);
  });
});

describe('an ARN that is none', () => {
  it.each([['billing'], [undefined]])('is the only problem of its endpoint: %s', (wrong) => {
    const stack = regionalStack('eu-west-1');
    inlineEndpoint(stack, 'Orders').sendsTo(importedBilling(stack, { queueArn: wrong as never }));
    const found = violationsOf(stack)
      .split('\n')
      .filter((line) => line.includes('[Regional/'));
    expect(found).toEqual([expect.stringContaining('[Regional/Imported] queueArn: ')]);
  });
});

describe('endpoints that send to each other', () => {
  /** Two stacks, each with an endpoint that imports the other's. */
  function crossing(envs: readonly { account: string; region: string }[]): Stack[] {
    const app = unbundledStack().node.root as App;
    const names = ['orders', 'billing'];
    const arnOf = (index: number) =>
      `arn:aws:sqs:${envs[index]?.region}:${envs[index]?.account}:${names[index]}-queue`;
    return names.map((name, index) => {
      const other = 1 - index;
      const stack = new Stack(app, name, { env: envs[index] as { account: string; region: string } });
      const endpoint = inlineEndpoint(stack, name, { queueName: `${name}-queue` });
      const endpointName = names[other] as string;
      const attributes = { endpointName, queueArn: arnOf(other) };
      endpoint.sendsTo(MessageEndpoint.fromMessageEndpointAttributes(stack, endpointName, attributes));
      if (envs[0]?.account !== envs[1]?.account) {
        endpoint.grantSendMessages(new AccountPrincipal(envs[other]?.account));
      }
      return stack;
    });
  }

  it('may belong to two stacks', () => {
    const env = { account: '111111111111', region: 'eu-west-1' };
    const [orders] = crossing([env, env]);
    expect(violationsOf(orders as Stack)).toBe('');
  });

  it('may belong to two accounts', () => {
    const [orders] = crossing([
      { account: '111111111111', region: 'eu-west-1' },
      { account: '222222222222', region: 'eu-west-1' },
    ]);
    expect(violationsOf(orders as Stack)).toBe('');
    const { PolicyDocument } = propertiesOf(orders as Stack, 'AWS::SQS::QueuePolicy', 'ordersQueue');
    expect(JSON.stringify(PolicyDocument)).toContain('222222222222:root');
  });
});
