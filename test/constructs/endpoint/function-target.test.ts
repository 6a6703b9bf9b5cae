import { describe, expect, it } from '@jest/globals';
import { RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type IVpc, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Alias, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type BundledEndpointProps, MessageEndpoint } from 'sagabox/constructs';
import {
  allowedActions,
  expectViolation,
  inlineFunction,
  ordersEndpoint,
  policyStatements,
  propertiesOf,
  refOf,
  unbundledStack,
  variablesOf,
} from '../support.ts';
import { bundledEndpoint, entry } from './bundled-endpoint.ts';

const FUNCTION = 'AWS::Lambda::Function';
const MAPPING = 'AWS::Lambda::EventSourceMapping';
const LOG_GROUP = 'AWS::Logs::LogGroup';

describe('the target of the event source', () => {
  it.each([
    [
      'alias',
      (own: LambdaFunction) =>
        new Alias(own.stack, 'Of', { aliasName: 'live', version: own.currentVersion as never }),
    ],
    ['version', (own: LambdaFunction) => own.currentVersion],
  ] as const)('is a given %s, and its function has environment and permissions', (kind, make) => {
    const { stack, orders } = ordersEndpoint((scope) => ({
      function: make(inlineFunction(scope, 'Live')) as never,
    }));
    expect(variablesOf(stack, 'Live')).toMatchObject({ SAGABOX_ENDPOINT: 'orders' });
    expect(allowedActions(stack, 'LiveServiceRole')['Allow OrdersQueue']).toContain('sqs:ReceiveMessage');
    expect(JSON.stringify(propertiesOf(stack, MAPPING).FunctionName)).toMatch(
      kind === 'alias' ? /:live/ : /CurrentVersion/,
    );
    expect(orders.alias?.aliasName).toBe(kind === 'alias' ? 'live' : undefined);
    expectViolation(stack, '');
  });

  it('is an alias of the current version, if it is named', () => {
    const stack = bundledEndpoint({ aliasName: 'live' });
    expect(propertiesOf(stack, 'AWS::Lambda::Alias')).toMatchObject({ Name: 'live' });
    expect(JSON.stringify(propertiesOf(stack, MAPPING).FunctionName)).toMatch(/OrdersAlias.*:live/);
  });

  it.each([
    ['function', (stack: Stack) => LambdaFunction.fromFunctionName(stack, 'Far', 'far')],
    [
      'alias',
      (stack: Stack) =>
        Alias.fromAliasAttributes(stack, 'Far', {
          aliasName: 'live',
          aliasVersion: LambdaFunction.fromFunctionName(stack, 'F', 'far').latestVersion,
        }),
    ],
    ['object', () => ({})],
  ])('cannot be an imported %s', (_kind, make) => {
    const { stack } = ordersEndpoint((scope) => ({ function: make(scope) as never }));
    expectViolation(stack, '[Test/Orders] function: ');
    expectViolation(
      stack,
      'is imported, or no function, so that its environment cannot be set. Give a function',
    );
  });

  it('is disabled by the kill switch, and known by its id', () => {
    const { stack, orders } = ordersEndpoint({ enabled: false });
    expect(propertiesOf(stack, MAPPING)).toMatchObject({ Enabled: false });
    expect(stack.resolve(orders.eventSourceMappingId)).toEqual(refOf('OrdersEventSource'));
  });
});

describe('a bundled function', () => {
  it('writes JSON to a log group of its own with a generated name, which keeps lines for 30 days', () => {
    const stack = bundledEndpoint();
    expect(propertiesOf(stack, LOG_GROUP)).toEqual({ RetentionInDays: 30 });
    const logging = { LogFormat: 'JSON', LogGroup: refOf('OrdersFunctionLogGroup') };
    expect(propertiesOf(stack, FUNCTION)).toMatchObject({ LoggingConfig: logging });
    expect(JSON.stringify(Template.fromStack(stack).toJSON())).not.toContain('AWSLambdaBasicExecutionRole');
    expect(allowedActions(stack)['Allow OrdersFunctionLogGroup']).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
    expect(variablesOf(stack, 'OrdersFunction')).toMatchObject({ NODE_OPTIONS: '--enable-source-maps' });
  });

  it.each([
    [undefined, 'Retain'],
    [RemovalPolicy.DESTROY, 'Delete'],
  ])('and its queues are kept or not by removalPolicy: %s', (removalPolicy, kept) => {
    const template = Template.fromStack(bundledEndpoint(removalPolicy ? { removalPolicy } : {}));
    for (const type of [LOG_GROUP, 'AWS::SQS::Queue']) {
      const resources = Object.values(template.findResources(type));
      expect(resources.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(resources.map(() => kept));
    }
  });

  it('takes other settings of NodejsFunction as they are', () => {
    const stack = unbundledStack();
    const functionProps = {
      tracing: Tracing.ACTIVE,
      vpc: new Vpc(stack, 'Vpc') as IVpc,
      runtime: Runtime.NODEJS_22_X,
      reservedConcurrentExecutions: 7,
      logGroup: new LogGroup(stack, 'Given', { retention: RetentionDays.ONE_DAY }),
    } satisfies BundledEndpointProps['functionProps'];
    new MessageEndpoint(stack, 'Orders', { entry, functionProps, maxConcurrency: 7 });
    expect(propertiesOf(stack, FUNCTION, 'Orders')).toMatchObject({
      TracingConfig: { Mode: 'Active' },
      Runtime: 'nodejs22.x',
      ReservedConcurrentExecutions: 7,
      LoggingConfig: { LogGroup: refOf('Given') },
      VpcConfig: { SubnetIds: expect.any(Array) },
    });
    const actions = policyStatements(stack, 'OrdersFunctionRole').flatMap(({ Action }) => Action);
    for (const action of ['ec2:CreateNetworkInterface', 'xray:PutTraceSegments', 'logs:PutLogEvents']) {
      expect(actions).toContain(action);
    }
    expectViolation(stack, '');
  });

  it('takes a role, which then gets the permissions', () => {
    const stack = unbundledStack();
    const role = Role.fromRoleArn(stack, 'Given', 'arn:aws:iam::111111111111:role/given');
    new MessageEndpoint(stack, 'Orders', { entry, functionProps: { role } });
    expect(propertiesOf(stack, FUNCTION).Role).toBe('arn:aws:iam::111111111111:role/given');
    expect(allowedActions(stack)['Allow OrdersQueue']).toContain('sqs:ReceiveMessage');
  });

  it.each([
    ['lambdas/nothing.ts', /entry: there is no file '.*\/lambdas\/nothing\.ts'\. Give its path from/],
    ['README.md', /entry: 'README\.md' is neither TypeScript nor JavaScript\. Give a file/],
    [undefined, /entry: it is missing\. Give the file that exports 'handler', or a function/],
  ])('needs an entry that exists: %s', (missing, violation) => {
    const stack = bundledEndpoint({ entry: missing as never });
    expect(() => Template.fromStack(stack)).toThrow(violation);
  });
});
