import { expect, it } from '@jest/globals';
import { type App, Stack, Validations } from 'aws-cdk-lib';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import {
  type BundledEndpointProps,
  ClaimCheckBucket,
  EndpointMonitoring,
  MessageEndpoint,
  MessageScheduler,
  OutboxRelay,
  OutboxTable,
  SendOnlyEndpoint,
} from 'sagabox/constructs';
import { entry } from './endpoint/bundled-endpoint.ts';
import { unbundledStack, violationsOf } from './support.ts';

const existingVpc = {
  vpcId: 'vpc-11111111',
  availabilityZones: ['a'],
  privateSubnetIds: ['subnet-11111111'],
  privateSubnetRouteTableIds: ['rtb-11111111'],
};

const withFunction =
  (functionProps: (stack: Stack) => BundledEndpointProps['functionProps']) => (stack: Stack) =>
    new MessageEndpoint(stack, 'Orders', { entry, functionProps: functionProps(stack) ?? {} });

/** Beside those of the app that the deployment proof deploys. */
it.each<[string, (stack: Stack) => void]>([
  ['a scheduler that nobody uses', (stack) => new MessageScheduler(stack, 'Scheduler')],
  [
    'a scheduler whose endpoint is in another stack',
    (stack) => {
      const scheduler = new MessageScheduler(stack, 'Scheduler');
      new MessageEndpoint(new Stack(stack.node.root, 'Other'), 'Orders', { entry, scheduler });
    },
  ],
  [
    'a scheduler with a role for each endpoint',
    (stack) => {
      const scheduler = new MessageScheduler(stack, 'Scheduler', { roles: 'perEndpoint' });
      new MessageEndpoint(stack, 'Orders', { entry, scheduler });
    },
  ],
  [
    'a function in a VPC',
    withFunction((stack) => ({ vpc: Vpc.fromVpcAttributes(stack, 'Vpc', existingVpc) })),
  ],
  [
    'a topic that alarms notify',
    (stack) => {
      const masterKey = new Key(stack, 'Key', { enableKeyRotation: true });
      const topic = new Topic(stack, 'Pager', { enforceSSL: true, masterKey });
      const endpoint = new MessageEndpoint(stack, 'Orders', { entry });
      new EndpointMonitoring(stack, 'Monitoring', { endpoint, topic });
    },
  ],
  [
    'an endpoint that only sends',
    (stack) => {
      const claimCheck = new ClaimCheckBucket(stack, 'Bodies');
      const outboxTable = new OutboxTable(stack, 'Outbox');
      const api = new SendOnlyEndpoint(stack, 'Api', { outboxTable, claimCheck, scheduler: true });
      const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
      const code = Code.fromInline('export const handler = async () => {};');
      const runtime = Runtime.NODEJS_24_X;
      api.addFunction(new LambdaFunction(stack, 'Place', { runtime, handler: 'index.handler', code, role }));
      api.sendsTo(new MessageEndpoint(stack, 'Orders', { entry, claimCheck }));
      new OutboxRelay(stack, 'Relay', { endpoints: [api] });
    },
  ],
  ['a function that is traced', withFunction(() => ({ tracing: Tracing.ACTIVE }))],
])('%s has no finding of the AwsSolutions rules that is not acknowledged', (_, declare) => {
  const stack = unbundledStack();
  const app = stack.node.root as App;
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
  declare(stack);
  expect(violationsOf(stack)).toBe('');
});
