import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { inlineEndpoint, propertiesOf, variablesOf, violationsOf } from '../support.ts';

const account = '111111111111';
const region = 'eu-west-1';
const env = { account, region };

/** Two endpoints of two stacks that send to each other. */
function twoStacks(one: object, other: object) {
  const app = new App();
  const orders = new Stack(app, 'OrdersStack', one);
  const billing = new Stack(app, 'BillingStack', other);
  const sender = inlineEndpoint(orders, 'Orders', { queueName: 'orders' });
  const receiver = inlineEndpoint(billing, 'Billing', { queueName: 'billing' });
  sender.sendsTo(receiver);
  receiver.sendsTo(sender);
  return { orders, billing };
}

describe('endpoints of two stacks that send to each other', () => {
  it.each([
    ['of no account', {}, {}],
    ['of one account', { env }, { env }],
  ])('refer to each other by the names of their queues, %s', (_, context, other) => {
    const { orders, billing } = twoStacks(context, other);
    expect(violationsOf(orders)).toBe('');
    expect([...orders.dependencies, ...billing.dependencies]).toEqual([]);
    const destinations = variablesOf(orders, 'OrdersOwn').SAGABOX_DESTINATIONS;
    expect(JSON.stringify(destinations)).toContain('billing\\":{\\"address\\":\\"billing\\"');
  });

  it('may stand in two accounts: each allows the other account to send, and nothing else', () => {
    const { orders } = twoStacks({ env }, { env: { region, account: '222222222222' } });
    expect(violationsOf(orders)).toBe('');
    const destinations = JSON.stringify(variablesOf(orders, 'OrdersOwn').SAGABOX_DESTINATIONS);
    expect(destinations).toContain('222222222222/billing');
    const policy = propertiesOf(orders, 'AWS::SQS::QueuePolicy', 'OrdersQueue').PolicyDocument;
    const { Statement } = policy as { Statement: { Effect: string }[] };
    expect(Statement.filter(({ Effect }) => Effect === 'Allow')).toEqual([
      expect.objectContaining({ Action: 'sqs:SendMessage', Principal: { AWS: expect.anything() } }),
    ]);
    expect(JSON.stringify(Statement)).toContain('222222222222:root');
  });

  it('are refused in two regions', () => {
    const { orders } = twoStacks({ env }, { env: { account, region: 'us-east-1' } });
    expect(violationsOf(orders)).toContain('BillingStack/Billing/Queue is in another region');
  });
});
