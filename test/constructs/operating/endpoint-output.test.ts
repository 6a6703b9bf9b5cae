import { describe, expect, it } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { type MessageEndpointProps, OutboxTable } from 'sagabox/constructs';
import { modelResources } from '../../../lib/local/app/resources/model.ts';
import { inlineEndpoint, ordersEndpoint } from '../support.ts';

/** The outputs of endpoints, as they are when the stack is deployed. */
function outputsOf(stack: Stack): { outputs: unknown[]; variables: unknown } {
  const template = Template.fromStack(stack).toJSON();
  const deployed = { name: 'Test', template, nestedTemplates: [], assetPaths: new Map() };
  const { outputs, resources } = modelResources([deployed], 'https://queues');
  const own = resources.find(({ name }) => name.startsWith('Test-Own'));
  const { Variables: variables } = (own?.properties.Environment ?? {}) as { Variables?: unknown };
  const operating = Object.entries(outputs).filter(([id]) => id.startsWith('OrdersOperating'));
  return { outputs: operating.map(([, value]) => JSON.parse(value)), variables };
}

const url = (prefix: string) =>
  expect.stringMatching(new RegExp(`^https://queues/\\d+/Test-${prefix}[0-9A-F]{8}`));

function stackWith(props: Partial<MessageEndpointProps> = {}) {
  return ordersEndpoint((stack) => ({ outboxTable: new OutboxTable(stack, 'Outbox'), ...props }));
}

describe('the output of an endpoint', () => {
  it('names its queues, and has the variables of its function', () => {
    const { stack, orders } = stackWith();
    orders.sendsTo(inlineEndpoint(stack, 'Billing'));
    const { outputs, variables } = outputsOf(stack);
    expect(outputs).toEqual([
      {
        sagaboxEndpoint: 'orders',
        queueUrl: url('OrdersQueue'),
        errorQueueUrl: url('OrdersErrorQueue'),
        deadLetterQueueUrl: url('OrdersDeadLetterQueue'),
        environment: variables,
      },
    ]);
    expect(variables).toMatchObject({ SAGABOX_ENDPOINT: 'orders', SAGABOX_OUTBOX_TABLE: expect.anything() });
    expect(JSON.stringify(variables)).toContain('billing');
  });

  it('leaves out the queues that it has not, and has those that it gets later', () => {
    const { stack, orders } = stackWith({ errorQueue: false });
    orders.subscribesTo(new Topic(stack, 'Placed', { fifo: true }));
    const { outputs } = outputsOf(stack);
    expect(outputs).toEqual([
      expect.objectContaining({ undeliveredQueueUrl: url('OrdersUndeliveredQueue') }),
    ]);
    expect(outputs[0]).not.toHaveProperty('errorQueueUrl');
  });

  it('is not exported, and can be left out', () => {
    expect(JSON.stringify(Template.fromStack(stackWith().stack).toJSON().Outputs)).not.toContain('Export');
    expect(outputsOf(stackWith({ operatingOutput: false }).stack).outputs).toEqual([]);
  });
});
