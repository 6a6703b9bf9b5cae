import { describe, expect, it } from '@jest/globals';
import { modelResources } from '../../../../lib/local/app/resources/model.ts';
import { functionNamed, queueNamed } from '../../../../lib/local/app/resources/named-resource.ts';

const endpoint = (id: string, name: string) => ({
  [`${id}Queue0A1B2C3D`]: { Type: 'AWS::SQS::Queue' },
  [`${id}Function`]: {
    Type: 'AWS::Lambda::Function',
    Properties: { Environment: { Variables: { SAGABOX_ENDPOINT: name } } },
  },
  [`${id}Events`]: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': [`${id}Queue0A1B2C3D`, 'Arn'] },
      FunctionName: { Ref: `${id}Function` },
    },
  },
});

const { resources } = modelResources(
  [
    {
      name: 'Shop',
      template: {
        Resources: {
          ...endpoint('Orders', 'orders'),
          ...endpoint('Billing', 'billing'),
          ...endpoint('Invoices', 'billing'),
          Errors: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'shop-errors' } },
        },
      },
      nestedTemplates: [],
      assetPaths: new Map(),
    },
  ],
  'http://queues',
);

describe('finding a queue of the app', () => {
  it.each([
    ['its name', 'shop-errors', 'shop-errors'],
    ['its logical id', 'Errors', 'shop-errors'],
    ['its logical id without the hash', 'OrdersQueue', 'Shop-OrdersQueue0A1B2C3D'],
    ['the endpoint that it feeds', 'orders', 'Shop-OrdersQueue0A1B2C3D'],
  ])('takes %s', (_what, wanted, name) => {
    expect(queueNamed(resources, wanted)).toBe(name);
  });

  it('refuses an unknown one, and names those that there are', () => {
    expect(() => queueNamed(resources, 'order')).toThrow(
      "queue: the app has no queue 'order'. Name one of its queues: Shop-OrdersQueue0A1B2C3D, " +
        'Shop-BillingQueue0A1B2C3D, Shop-InvoicesQueue0A1B2C3D, shop-errors.',
    );
    expect(() => queueNamed([], 'order')).toThrow('it has none');
  });

  it('finds a function in the same way', () => {
    for (const wanted of ['Shop-OrdersFunction', 'OrdersFunction', 'orders']) {
      expect(functionNamed(resources, wanted)).toBe('Shop-OrdersFunction');
    }
    expect(() => functionNamed(resources, 'OrdersQueue')).toThrow('Name one of its functions: Shop-Orders');
  });

  it('refuses what may be two', () => {
    expect(() => queueNamed(resources, 'billing')).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        message: expect.stringMatching(/'billing' may be Shop-Billing\w+, Shop-Invoices\w+\. Name one/),
      }),
    );
  });
});
