import { describe, expect, it } from '@jest/globals';
import { Annotations, type App, Aws, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import { Annotations as Found, Match } from 'aws-cdk-lib/assertions';
import { Construct } from 'constructs';
import { MessageEndpoint, type MessageEndpointProps } from 'sagabox/constructs';
import { inlineEndpoint, unbundledStack } from '../support.ts';

const env = { account: '111111111111', region: 'eu-west-1' };
const metricsNamespace = 'Shop';

/** Of a sound app, on one of its endpoints: synth fails when there are violations. */
function warningsOf(endpoint: MessageEndpoint): unknown[] {
  (endpoint.node.root as App).synth();
  return endpoint.node.metadata
    .map(({ data }) => data as unknown)
    .filter((data) => String(data).startsWith('metricsNamespace: '));
}

const warningOf = (path: string) =>
  `metricsNamespace: 'Shop' also takes the metrics of 'orders' of ${path}, in the same account and region. Give each a ` +
  'metricsNamespace of its own, such as one for each stage, or an endpointName of its own, or acknowledge this. ' +
  '[ack: sagabox:sharedMetrics]';

interface Apps {
  readonly one?: StackProps;
  readonly other?: StackProps;
  readonly otherProps?: Partial<MessageEndpointProps>;
  readonly props?: Partial<MessageEndpointProps>;
  readonly stages?: boolean;
}

function endpoints({ one = { env }, other = { env }, props, otherProps, stages = false }: Apps) {
  const { root } = unbundledStack().node;
  const [dev, prod] = ['Dev', 'Prod'].map((id) => (stages ? new Stage(root, id) : root));
  return [
    inlineEndpoint(new Stack(dev, 'One', one), 'Orders', { metricsNamespace, ...props }),
    inlineEndpoint(new Stack(prod, 'Other', other), 'Orders', { metricsNamespace, ...otherProps }),
  ] as const;
}

describe('a metricsNamespace of two endpoints of one name', () => {
  it('is warned of on both in one place', () => {
    const [one, other] = endpoints({});
    expect(warningsOf(one)).toEqual([warningOf('Other/Orders')]);
    expect(warningsOf(other)).toEqual([warningOf('One/Orders')]);
  });

  it('is warned of in one place of two Stages', () => {
    const [one] = endpoints({ stages: true });
    expect(warningsOf(one)).toEqual([warningOf('Prod/Other/Orders')]);
  });

  it('is warned of in one stack, and in what the CLI shows', () => {
    const stack = unbundledStack();
    const props = { endpointName: 'orders', metricsNamespace };
    for (const id of ['Orders', 'Copy']) inlineEndpoint(stack, id, props);
    const found = Found.fromStack(stack).findWarning('/Test/Orders', Match.anyValue());
    expect(found.map(({ entry }) => entry.data)).toContain(warningOf('Test/Copy'));
  });

  it('can be acknowledged', () => {
    const [one, other] = endpoints({});
    Annotations.of(one).acknowledgeWarning('sagabox:sharedMetrics');
    expect(warningsOf(one)).toEqual([]);
    expect(warningsOf(other)).toEqual([warningOf('One/Orders')]);
  });

  it.each<[string, Apps]>([
    ['environments that are known at deployment', { one: {}, other: {} }],
    ['Stages whose environments are known at deployment', { one: {}, other: {}, stages: true }],
    ['two regions', { other: { env: { ...env, region: 'eu-central-1' } } }],
    ['two accounts', { other: { env: { ...env, account: '222222222222' } } }],
    ['two namespaces', { otherProps: { metricsNamespace: 'ShopTest' } }],
    ['two names', { otherProps: { endpointName: 'billing' } }],
    [
      'names known at deployment',
      { props: { metricsNamespace: Aws.STACK_NAME }, otherProps: { metricsNamespace: Aws.STACK_NAME } },
    ],
  ])('may be that of %s', (_which, apps) => {
    const [one, other] = endpoints(apps);
    expect([...warningsOf(one), ...warningsOf(other)]).toEqual([]);
  });

  it('may be that of an import of the endpoint, and of a construct around it', () => {
    const stack = unbundledStack();
    const orders = inlineEndpoint(stack, 'Orders', { metricsNamespace });
    MessageEndpoint.fromMessageEndpointAttributes(stack, 'Imported', {
      endpointName: 'orders',
      metricsNamespace,
      queueArn: 'arn:aws:sqs:eu-west-1:111111111111:orders',
    });
    Object.assign(new Construct(stack, 'Service'), {
      endpointName: 'orders',
      metricsNamespace,
      function: orders.function,
    });
    expect(warningsOf(orders)).toEqual([]);
  });

  it('is not asked of constructs that are no endpoints', () => {
    const stack = unbundledStack();
    const orders = inlineEndpoint(stack, 'Orders', { metricsNamespace });
    Object.defineProperty(new Construct(stack, 'Service'), 'metricsNamespace', {
      get: () => {
        throw new Error('not made yet');
      },
    });
    expect(warningsOf(orders)).toEqual([]);
  });
});
