import { describe, expect, it } from '@jest/globals';
import { CfnParameter, Duration, type Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import {
  type CfnFunction,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';
import {
  expectViolation,
  inlineFunction,
  ordersEndpoint,
  propertiesOf,
  refOf,
  startsWith,
  unbundledStack,
  variablesOf,
  violationsOf,
} from '../support.ts';
import { bundledEndpoint, entry } from './bundled-endpoint.ts';

const FUNCTION = 'AWS::Lambda::Function';
const QUEUE = 'AWS::SQS::Queue';

/** About loops of messages. */
function warningsOf(stack: Stack): unknown[] {
  return Annotations.fromStack(stack)
    .findWarning('*', Match.stringLikeRegexp('recursiveLoop'))
    .map(({ entry }) => entry.data);
}

describe('the function of an endpoint', () => {
  it('runs on Node 24, on ARM, for 30 s with 512 MB', () => {
    expect(propertiesOf(bundledEndpoint(), FUNCTION)).toMatchObject({
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Architectures: ['arm64'],
      Timeout: 30,
      MemorySize: 512,
    });
  });

  it('reads its endpoint, tables and destinations from the environment', () => {
    const { stack } = ordersEndpoint((scope) => ({
      sagaTable: new SagaTable(scope, 'Sagas'),
      outboxTable: new OutboxTable(scope, 'Outbox'),
      environment: { CURRENCY: 'EUR' },
    }));
    const ownQueue = ['{"orders":{"address":"', nameOf('OrdersQueue'), '","maxMessageSizeBytes":1048576}}'];
    expect(variablesOf(stack, 'Own')).toEqual({
      CURRENCY: 'EUR',
      SAGABOX_ENDPOINT: 'orders',
      SAGABOX_ACCOUNT_ID: { Ref: 'AWS::AccountId' },
      SAGABOX_DESTINATIONS: { 'Fn::Join': ['', ownQueue] },
      SAGABOX_ERROR_QUEUE: nameOf('OrdersErrorQueue'),
      SAGABOX_LOCKING: 'optimistic',
      SAGABOX_MAX_RECEIVE_COUNT: '5',
      SAGABOX_SAGA_TABLE: refOf('Sagas'),
      SAGABOX_OUTBOX_TABLE: refOf('Outbox'),
      SAGABOX_DEDUPLICATION_PERIOD_SECONDS: '1296000',
    });
  });

  it.each([
    [{ retention: Duration.days(14), deadLetterRetention: Duration.days(14) }, 42],
    [{ retention: Duration.days(1), deadLetterRetention: Duration.days(6) }, 8],
    [{ retention: Duration.hours(1), deadLetterRetention: Duration.days(1) }, 7],
    [{ deduplicationPeriod: Duration.days(20) }, 20],
  ])('remembers messages as long as they may come, and 7 days at least: %j', (props, days) => {
    const { stack } = ordersEndpoint((scope) => ({
      outboxTable: new OutboxTable(scope, 'Outbox'),
      ...props,
    }));
    const period = { SAGABOX_DEDUPLICATION_PERIOD_SECONDS: String(days * 86_400) };
    expect(variablesOf(stack, 'Own')).toMatchObject(period);
    expect(violationsOf(stack)).toBe('');
  });

  it.each(['retention', 'deadLetterRetention'])(
    'cannot tell how long messages may come when the %s is known only at deployment',
    (setting) => {
      const stack = unbundledStack();
      const { valueAsNumber } = new CfnParameter(stack, 'Seconds', { type: 'Number' });
      const time = Duration.seconds(valueAsNumber);
      const outboxTable = new OutboxTable(stack, 'Outbox');
      new MessageEndpoint(stack, 'Orders', { entry, outboxTable, [setting]: time });
      new MessageEndpoint(stack, 'Billing', { entry, [setting]: time });
      const found = violationsOf(stack);
      expect(found).toMatch(/Orders\] deduplicationPeriod: it follows from .* Set it, to at least twice/);
      expect(found).not.toContain('Test/Billing');
    },
  );

  it('has no variable of a table or an error queue that the endpoint does not have', () => {
    const variables = variablesOf(ordersEndpoint({ errorQueue: false }).stack, 'Own');
    expect(Object.keys(variables).sort()).toEqual([
      'SAGABOX_ACCOUNT_ID',
      'SAGABOX_DESTINATIONS',
      'SAGABOX_ENDPOINT',
      'SAGABOX_MAX_RECEIVE_COUNT',
    ]);
  });

  it.each([
    [undefined, 'Allow'],
    [RecursiveLoop.TERMINATE, 'Terminate'],
  ])('may be in chains of messages of any length, unless they are to end: %s', (recursiveLoop, expected) => {
    const stack = bundledEndpoint(recursiveLoop === undefined ? {} : { recursiveLoop });
    expect(propertiesOf(stack, FUNCTION)).toMatchObject({ RecursiveLoop: expected });
    expect(warningsOf(stack)).toEqual([]);
  });

  it.each([
    [undefined, [expect.stringMatching(/^function: .* 16 messages, .* recursiveLoop: RecursiveLoop\.ALLOW/)]],
    [RecursiveLoop.ALLOW, []],
    [RecursiveLoop.TERMINATE, []],
  ])('that exists already should tell whether they may: %s', (recursiveLoop, warnings) => {
    const { stack } = ordersEndpoint((scope) => {
      const own = inlineFunction(scope, 'Given');
      (own.node.defaultChild as CfnFunction).recursiveLoop = recursiveLoop;
      return { function: own };
    });
    expect(warningsOf(stack)).toEqual(warnings);
  });

  it('may exist already', () => {
    const { stack } = ordersEndpoint((scope) => ({
      endpointName: 'Order desk',
      function: inlineFunction(scope, 'Given', Duration.seconds(7)),
    }));
    expect(variablesOf(stack, 'Given')).toMatchObject({ SAGABOX_ENDPOINT: 'Order desk' });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({ VisibilityTimeout: 42 });
  });
});

const nameOf = (prefix: string) => ({ 'Fn::GetAtt': [startsWith(prefix), 'QueueName'] });

it.each([
  [
    Runtime.PYTHON_3_13,
    "function: 'Test/Own' has the runtime 'python3.13', which runs no JavaScript. Give a function",
  ],
  [
    Runtime.NODEJS_20_X,
    "function: 'Test/Own' has the runtime 'nodejs20.x', which is older than the Node.js 22 that sagabox needs",
  ],
  [Runtime.NODEJS_22_X, ''],
  [Runtime.NODEJS_LATEST, ''],
  [Runtime.PROVIDED_AL2023, ''],
])('a given function runs JavaScript of today, as %s may', (runtime, violation) => {
  const stack = unbundledStack();
  const code = Code.fromAsset('lambdas');
  const own = new LambdaFunction(stack, 'Own', { runtime, handler: 'index.handler', code });
  new MessageEndpoint(stack, 'Orders', { function: own });
  expectViolation(stack, violation);
});
