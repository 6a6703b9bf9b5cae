/** Layouts of platform teams: all of them synthesize, without a violation and without a warning that nobody asked for. */
import { describe, expect, it } from '@jest/globals';
import {
  App,
  Aspects,
  type CfnResource,
  CliCredentialsStackSynthesizer,
  Duration,
  type Environment,
  NestedStack,
  RemovalPolicies,
  RemovalPolicy,
  Stack,
  Stage,
  Tags,
} from 'aws-cdk-lib';
import { TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { InterfaceVpcEndpointAwsService, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, Function as LambdaFunction, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import {
  EndpointMonitoring,
  MessageEndpoint,
  type MessageEndpointProps,
  MessagingTable,
  type MessagingTableProps,
  OutboxRelay,
  OutboxTable,
  SagaTable,
  SendOnlyEndpoint,
} from 'sagabox/constructs';
import { entry } from './endpoint/bundled-endpoint.ts';

const here: Environment = { account: '111111111111', region: 'eu-west-1' };
const there: Environment = { ...here, account: '222222222222' };

type Common = Partial<Omit<MessageEndpointProps, 'function' | 'entry'>>;

function ownFunction(scope: Construct, id: string): LambdaFunction {
  return new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('export const handler = () => {};'),
    timeout: Duration.seconds(30),
    memorySize: 512,
    recursiveLoop: RecursiveLoop.ALLOW,
  });
}

const tablesIn = (scope: Construct, props: MessagingTableProps = {}) => ({
  sagaTable: new SagaTable(scope, 'Sagas', props),
  outboxTable: new OutboxTable(scope, 'Outbox', { relayStream: true, ...props }),
});

const endpointIn = (scope: Construct, id: string, props: Common) =>
  new MessageEndpoint(scope, id, { entry, queueName: id.toLowerCase(), ...props } as MessageEndpointProps);

/** Two endpoints that send to each other, with a function that answers requests, a relay, a dashboard and alarms. */
function shop(scope: Construct, props: Common) {
  const orders = endpointIn(scope, 'Orders', props);
  const billing = endpointIn(scope, 'Billing', props);
  orders.sendsTo(billing);
  billing.sendsTo(orders);
  const { outboxTable } = props;
  if (outboxTable === undefined) return { orders, billing };
  const api = new SendOnlyEndpoint(scope, 'Api', {
    outboxTable,
    functions: [ownFunction(scope, 'PlaceOrder')],
  });
  api.sendsTo(orders);
  const relay = new OutboxRelay(scope, 'Relay', { endpoints: [orders, billing, api] });
  new EndpointMonitoring(scope, 'Monitoring', { endpoint: orders, relay });
  return { orders, billing };
}

/** The warnings of sagabox at synth, which fails with all that is wrong. */
function warningsOf(app: App): string[] {
  app.synth();
  return app.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === 'aws:cdk:warning')
    .map(({ data }) => String(data))
    .filter((text) => text.includes('sagabox:'));
}

const layouts: readonly [string, (app: App) => void][] = [
  [
    'two stacks, one of which holds the data',
    (app) => {
      const tables = tablesIn(new Stack(app, 'Data', { env: here }));
      shop(new Stack(app, 'Shop', { env: here }), tables);
    },
  ],
  [
    'two stages',
    (app) => {
      for (const [id, env] of [
        ['Dev', here],
        ['Prod', there],
      ] as const) {
        const stack = new Stack(new Stage(app, id, { env }), 'Shop');
        shop(stack, tablesIn(stack));
      }
    },
  ],
  [
    'nested stacks that send to each other',
    (app) => {
      const parent = new Stack(app, 'Shop', { env: here });
      const tables = tablesIn(new NestedStack(parent, 'Data'));
      const [orders, billing] = ['Orders', 'Billing'].map((id) =>
        endpointIn(new NestedStack(parent, `${id}Stack`), id, tables),
      );
      if (orders === undefined || billing === undefined) throw new Error('There are no endpoints');
      orders.sendsTo(billing);
      billing.sendsTo(orders);
      new OutboxRelay(new NestedStack(parent, 'Repair'), 'Relay', { endpoints: [orders, billing] });
    },
  ],
  [
    'imported resources',
    (app) => {
      const stack = new Stack(app, 'Shop', { env: here });
      const table = MessagingTable.fromTableAttributes(stack, 'Table', {
        tableArn: 'arn:aws:dynamodb:eu-west-1:111111111111:table/shop',
        tableStreamArn: 'arn:aws:dynamodb:eu-west-1:111111111111:table/shop/stream/2026-01-01T00:00:00.000',
      });
      const { orders } = shop(stack, { sagaTable: table, outboxTable: table });
      orders.publishesTo(Topic.fromTopicArn(stack, 'Events', 'arn:aws:sns:eu-west-1:111111111111:events'));
      orders.sendsTo({
        name: 'audit',
        queue: Queue.fromQueueArn(stack, 'Audit', 'arn:aws:sqs:eu-west-1:111111111111:audit'),
      });
    },
  ],
  [
    'own keys, of another stack',
    (app) => {
      const encryptionKey = new Key(new Stack(app, 'Keys', { env: here }), 'Key');
      const stack = new Stack(app, 'Shop', { env: here });
      const { orders } = shop(stack, {
        ...tablesIn(stack, { encryptionKey }),
        encryptionKey,
        scheduler: true,
      });
      orders.subscribesTo(new Topic(stack, 'Events', { masterKey: encryptionKey }));
    },
  ],
  [
    'a VPC without a way to the internet',
    (app) => {
      const stack = new Stack(app, 'Shop', { env: here });
      const vpc = new Vpc(stack, 'Vpc', {
        subnetConfiguration: [{ name: 'Own', subnetType: SubnetType.PRIVATE_ISOLATED }],
      });
      vpc.addInterfaceEndpoint('Parameters', { service: InterfaceVpcEndpointAwsService.SSM });
      const functionProps = { vpc, vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED } };
      const { orders } = shop(stack, { ...tablesIn(stack), functionProps } as Common);
      const queue = new Queue(stack, 'Audit');
      for (let index = 0; index < 100; index += 1) orders.sendsTo({ name: `destination-${index}`, queue });
    },
  ],
  [
    'forty endpoints in four stacks',
    (app) => {
      const data = new Stack(app, 'Data', { env: here });
      const table = new MessagingTable(data, 'Table', { relayStream: true });
      const tables = { sagaTable: table, outboxTable: table };
      const endpoints = Array.from({ length: 40 }, (_, index) => {
        const id = `Part${index % 4}`;
        const stack = (app.node.tryFindChild(id) as Stack | undefined) ?? new Stack(app, id, { env: here });
        return new MessageEndpoint(stack, `Endpoint${index}`, {
          function: ownFunction(stack, `Own${index}`),
          queueName: `endpoint-${index}`,
          ...tables,
        });
      });
      for (const [index, endpoint] of endpoints.entries())
        endpoint.sendsTo(...endpoints.filter((_, other) => other !== index && other % 10 === index % 10));
      new OutboxRelay(data, 'Relay', { endpoints });
    },
  ],
  [
    'an aspect over everything',
    (app) => {
      const stack = new Stack(app, 'Shop', { env: here });
      shop(stack, tablesIn(stack));
      Tags.of(app).add('team', 'shop');
      RemovalPolicies.of(app).retain();
      Aspects.of(app).add({
        visit: (node) => {
          if (node instanceof CfnQueue) node.addPropertyOverride('KmsDataKeyReusePeriodSeconds', 300);
        },
      });
    },
  ],
  [
    'escape hatches that fit together',
    (app) => {
      const stack = new Stack(app, 'Shop', { env: here });
      const { orders } = shop(stack, tablesIn(stack));
      const override = (resource: unknown, path: string, value: unknown) =>
        (resource as CfnResource).addPropertyOverride(path, value);
      override(orders.function.node.defaultChild, 'Timeout', 60);
      override(orders.queue.node.defaultChild, 'VisibilityTimeout', 360);
      override(orders.queue.node.defaultChild, 'RedrivePolicy.maxReceiveCount', 5);
    },
  ],
  [
    'two accounts that send to each other',
    (app) => {
      const [own, other] = [new Stack(app, 'Own', { env: here }), new Stack(app, 'Other', { env: there })];
      const outboxTable = new OutboxTable(other, 'Outbox', {
        tableName: 'records',
        encryption: TableEncryption.DEFAULT,
      });
      const orders = endpointIn(own, 'Orders', { outboxTable });
      const queue = new Queue(other, 'Given', {
        queueName: 'billing',
        encryption: QueueEncryption.SQS_MANAGED,
        visibilityTimeout: Duration.minutes(3),
        deadLetterQueue: { queue: new Queue(other, 'Dead'), maxReceiveCount: 5 },
      });
      const billing = new MessageEndpoint(other, 'Billing', { entry, queue, outboxTable });
      orders.sendsTo(billing);
      billing.sendsTo(orders);
      orders.publishesTo(new EventBus(other, 'Company', { eventBusName: 'company' }));
    },
  ],
  [
    'a synthesizer of the team',
    (app) => {
      const stack = new Stack(app, 'Shop', {
        env: here,
        synthesizer: new CliCredentialsStackSynthesizer({ fileAssetsBucketName: 'assets' }) as never,
      });
      shop(stack, tablesIn(stack, { removalPolicy: RemovalPolicy.DESTROY }));
    },
  ],
];

describe('a layout', () => {
  it('of eleven kinds is here', () => {
    expect(layouts).toHaveLength(11);
  });

  it.each(layouts)('synthesizes clean: %s', (_layout, addTo) => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] }, treeMetadata: false });
    addTo(app);
    expect(warningsOf(app)).toEqual([]);
  });
});
