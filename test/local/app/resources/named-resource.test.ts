import { describe, expect, it } from '@jest/globals';
import { modelResources } from '../../../../lib/local/app/resources/model.ts';
import { functionNamed, queueNamed, shortNames } from '../../../../lib/local/app/resources/named-resource.ts';

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
      "queue: the app has no queue 'order'. Name one of its queues: orders (Shop-OrdersQueue0A1B2C3D), " +
        'BillingQueue (Shop-BillingQueue0A1B2C3D), InvoicesQueue (Shop-InvoicesQueue0A1B2C3D), shop-errors.',
    );
    expect(() => queueNamed([], 'order')).toThrow('it has none');
  });

  it('finds a function in the same way', () => {
    for (const wanted of ['Shop-OrdersFunction', 'OrdersFunction', 'orders']) {
      expect(functionNamed(resources, wanted)).toBe('Shop-OrdersFunction');
    }
    expect(() => functionNamed(resources, 'OrdersQueue')).toThrow(
      'Name one of its functions: orders (Shop-OrdersFunction)',
    );
  });

  it('refuses what may be two', () => {
    expect(() => queueNamed(resources, 'billing')).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        message: expect.stringMatching(
          /'billing' may be BillingQueue \(Shop-B\w+\), InvoicesQueue \(Shop-I\w+\)\. Name one/,
        ),
      }),
    );
  });
});

describe('what people call a resource', () => {
  it('is its endpoint, the name that the app gives, or its logical id without the hash', () => {
    expect(Object.fromEntries(shortNames(resources, 'queue'))).toEqual({
      'Shop-OrdersQueue0A1B2C3D': 'orders',
      'Shop-BillingQueue0A1B2C3D': 'BillingQueue',
      'Shop-InvoicesQueue0A1B2C3D': 'InvoicesQueue',
      'shop-errors': 'shop-errors',
    });
    expect([...shortNames(resources, 'function').values()]).toEqual([
      'orders',
      'BillingFunction',
      'InvoicesFunction',
    ]);
  });

  it('always leads back to it, also where two stacks have one id', () => {
    const table = { Type: 'AWS::DynamoDB::Table' };
    const stack = (name: string, template: object) => {
      return { name, template, nestedTemplates: [], assetPaths: new Map() };
    };
    const both = modelResources(
      [
        stack('A', { Resources: { Sagas0A1B2C3D: table, Own0A1B2C3D: table } }),
        stack('B', { Resources: { Sagas0A1B2C3D: { ...table, Type: 'AWS::DynamoDB::GlobalTable' } } }),
      ],
      'http://queues',
    ).resources;
    expect([...shortNames(both, 'table').values()]).toEqual(['A-Sagas0A1B2C3D', 'Own', 'B-Sagas0A1B2C3D']);
  });
});
