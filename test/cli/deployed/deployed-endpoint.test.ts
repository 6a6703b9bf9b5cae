import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDeployedEndpoint } from '../../../lib/cli/deployed/deployed-endpoint.ts';
import { deployedOptions } from '../../../lib/cli/redrive/queues.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { startStackOutputs } from '../../support/stack-outputs-server.ts';

const orders = {
  sagaboxEndpoint: 'orders',
  queueUrl: 'https://q/orders',
  errorQueueUrl: 'https://q/errors',
  deadLetterQueueUrl: 'https://q/dead',
  environment: { SAGABOX_ENDPOINT: 'orders' },
};
const billing = { sagaboxEndpoint: 'billing', queueUrl: 'https://q/billing', environment: {} };

let server: Awaited<ReturnType<typeof startStackOutputs>>;
let client: CloudFormationClient;

beforeAll(async () => {
  server = await startStackOutputs({
    Shop: [
      ['https://q/plain', '{not json', '{"other":1}', JSON.stringify(billing)],
      [JSON.stringify(orders)],
    ],
    Empty: [['https://q/plain']],
  });
  client = new CloudFormationClient({
    endpoint: server.endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});

afterAll(async () => {
  client.destroy();
  await server.stop();
});

describe('an endpoint of a deployed stack', () => {
  it('is found by its name among all outputs, on later pages too', async () => {
    expect(await readDeployedEndpoint(client, 'Shop', 'orders')).toEqual(orders);
    expect(await readDeployedEndpoint(client, 'Shop', 'billing')).toEqual(billing);
  });

  it.each([
    [
      'Shop',
      'Orders',
      "--endpoint: the stack 'Shop' has no endpoint 'Orders', but billing, orders",
      'Name one of',
    ],
    [
      'Empty',
      'orders',
      "--endpoint: no output of the stack 'Empty' tells of an endpoint",
      'operatingOutput: false',
    ],
    ['Store', 'orders', "--stack: there is no stack 'Store' in eu-west-1 of this account", 'AWS_REGION'],
    ['Secret', 'orders', "--stack: the outputs of 'Secret' may not be read: User: operator", 'grantOperate'],
  ])('in stack %s named %s is refused with cause and remedy', async (stack, endpoint, problem, remedy) => {
    const error = await sagaboxErrorOf(readDeployedEndpoint(client, stack, endpoint));
    expect(error.code).toBe('Configuration');
    expect(error.message).toContain(problem);
    expect(error.message).toContain(remedy);
  });

  it('cannot be found without a region', async () => {
    const missing = () => Promise.reject(new Error('Region is missing'));
    const nowhere = new CloudFormationClient({ endpoint: server.endpoint, region: missing });
    const error = await sagaboxErrorOf(readDeployedEndpoint(nowhere, 'Shop', 'orders'));
    nowhere.destroy();
    expect([error.code, error.message]).toEqual([
      'Configuration',
      'AWS_REGION: Region is missing. Set it to the region of the stack.',
    ]);
  });
});

describe('the queue that redrive takes messages from', () => {
  const found = (queue?: 'errors' | 'dead-letters' | 'undelivered', endpoint = 'orders') =>
    deployedOptions(client, { stack: 'Shop', endpoint, max: 7, ...(queue && { queue }) });

  const forwarded = {
    kind: 'forwarded',
    stack: 'Shop',
    queueUrls: ['https://q/billing', 'https://q/orders'],
  };

  it.each([
    [undefined, 'https://q/errors', forwarded],
    ['errors', 'https://q/errors', forwarded],
    ['dead-letters', 'https://q/dead', { kind: 'undelivered', queueUrl: 'https://q/orders' }],
  ] as const)(
    'with --queue %s is %s, and its messages go to queues of the stack',
    async (queue, from, deployed) => {
      expect(await found(queue)).toEqual({ from, max: 7, deployed });
    },
  );

  it('is one that the endpoint has', async () => {
    await expect(found('undelivered')).rejects.toThrow(
      "--queue: the endpoint 'orders' has no queue 'undelivered', but errors, dead-letters",
    );
    await expect(found('errors', 'billing')).rejects.toThrow("has no queue 'errors', and none of the others");
  });
});
