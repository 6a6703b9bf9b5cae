import { describe, expect, it } from '@jest/globals';
import { Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { AccountPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  ClaimCheckBucket,
  MessageEndpoint,
  OutboxRelay,
  OutboxTable,
  SendOnlyEndpoint,
  type SendOnlyEndpointProps,
} from 'sagabox/constructs';
import {
  allowedActions,
  arnOf,
  expectViolation,
  inlineEndpoint,
  inlineFunction,
  jsonVariable,
  policyStatements,
  regionalStack,
  unbundledStack,
  variablesOf,
  violationsOf,
} from '../support.ts';

const relay = 'elsewhere';

/** An endpoint 'Api' with one function, 'Place'. */
function apiWith(props: Partial<SendOnlyEndpointProps> = {}, stack = unbundledStack()) {
  const outboxTable = props.outboxTable ?? new OutboxTable(stack, 'Outbox', { relayStream: true });
  const place = inlineFunction(stack, 'Place');
  const api = new SendOnlyEndpoint(stack, 'Api', { outboxTable, functions: [place], relay, ...props });
  return { stack, api, place, outboxTable };
}

const records = [
  'dynamodb:BatchGetItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];

describe('the functions of an endpoint that only sends', () => {
  it('have the environment and the permissions of a session, and none else', () => {
    const { stack, api } = apiWith();
    api.addFunction(inlineFunction(stack, 'Cancel'));
    api.sendsTo(inlineEndpoint(stack, 'Orders'));
    for (const id of ['Place', 'Cancel']) {
      expect(variablesOf(stack, id)).toEqual({
        SAGABOX_ENDPOINT: 'api',
        SAGABOX_OPERATION: `${stack.node.path}/${id}`,
        SAGABOX_ACCOUNT_ID: { Ref: 'AWS::AccountId' },
        SAGABOX_OUTBOX_TABLE: expect.anything(),
        SAGABOX_DEDUPLICATION_PERIOD_SECONDS: '604800',
        SAGABOX_DESTINATIONS: expect.anything(),
      });
      expect(allowedActions(stack, `${id}ServiceRole`)).toEqual({
        'Allow Outbox': records,
        'Allow OrdersQueue': ['sqs:SendMessage'],
      });
    }
    expect(violationsOf(stack)).toBe('');
  });

  it('publish by the settings of the endpoint, and keep schedules and bodies by them', () => {
    const stack = unbundledStack();
    const claimCheck = new ClaimCheckBucket(stack, 'Bodies');
    const { api } = apiWith({ claimCheck, scheduler: true, endpointName: 'shop-api' }, stack);
    api.publishesTo(new Topic(stack, 'Events'));
    expect(variablesOf(stack, 'Place')).toMatchObject({
      SAGABOX_ENDPOINT: 'shop-api',
      SAGABOX_PUBLISH_TO: expect.anything(),
      SAGABOX_SCHEDULER: expect.anything(),
      SAGABOX_CLAIM_CHECK: expect.anything(),
    });
    const actions = policyStatements(stack, 'PlaceServiceRole').flatMap(({ Action }) => Action);
    expect(actions).toEqual(
      expect.arrayContaining(['sns:Publish', 'scheduler:CreateSchedule', 's3:PutObject', 's3:GetObject']),
    );
    expect(violationsOf(stack)).toBe('');
  });

  it('have a name that outlives them for the events that they handle, in another stack too', () => {
    const { stack, api } = apiWith();
    const other = new Stack(stack.node.root, 'Other');
    api.addFunction(inlineFunction(other, 'Place'));
    const operations = [stack, other].map((each) => variablesOf(each, 'Place').SAGABOX_OPERATION);
    expect(operations).toEqual([`${stack.node.path}/Place`, 'Other/Place']);
    expect(api.handlerEnvironment).not.toHaveProperty('SAGABOX_OPERATION');
  });

  it('may be aliases and versions, and are added once', () => {
    const { stack, api, place } = apiWith();
    api.addFunction(place, place.addAlias('live'), place.currentVersion);
    expect(policyStatements(stack, 'PlaceServiceRole')).toHaveLength(1);
    expect(violationsOf(stack)).toBe('');
  });

  it('use the keys of the table', () => {
    const stack = unbundledStack();
    const encryptionKey = new Key(stack, 'Key');
    apiWith({ outboxTable: new OutboxTable(stack, 'Outbox', { encryptionKey }) }, stack);
    expect(allowedActions(stack, 'PlaceServiceRole')).toMatchObject({ 'Allow Key': ['kms:Decrypt'] });
  });

  it('read settings from Systems Manager that have no room in their environment', () => {
    const { stack, api } = apiWith();
    const elsewhere = inlineFunction(stack, 'Cancel');
    api.addFunction(elsewhere);
    for (const each of 'abcdefghijklmn')
      api.sendsTo({ name: each.repeat(300), queue: new Queue(stack, `Queue${each}`) });
    expect(violationsOf(stack)).toBe('');
    for (const id of ['Place', 'Cancel']) {
      const actions = policyStatements(stack, `${id}ServiceRole`).flatMap(({ Action }) => Action);
      expect(actions).toContain('ssm:GetParameters');
    }
    expect(
      Object.keys(Template.fromStack(stack).findResources('AWS::SSM::Parameter')).length,
    ).toBeGreaterThan(0);
  });

  it('can stand in another stack than the endpoint', () => {
    const { stack, api } = apiWith();
    const other = new Stack(stack.node.root, 'Other');
    api.addFunction(inlineFunction(other, 'Cancel'));
    api.sendsTo(inlineEndpoint(stack, 'Orders'));
    expect(violationsOf(stack)).toBe('');
    expect(policyStatements(other, 'CancelServiceRole')).toHaveLength(2);
  });
});

describe('the metrics of sessions', () => {
  it('are emitted into the namespace that is given, and are those of its relay too', () => {
    const { stack, api } = apiWith({ metricsNamespace: 'Shop' });
    const relay = new OutboxRelay(stack, 'Relay', { endpoints: [api] });
    expect(variablesOf(stack, 'Place')).toMatchObject({ SAGABOX_METRICS_NAMESPACE: 'Shop' });
    expect(api.metric('MessagesSent')).toMatchObject({ namespace: 'Shop', dimensions: { endpoint: 'api' } });
    expect(relay.metric(api, 'OldestUndispatchedRecordAge')).toMatchObject({ namespace: 'Shop' });
  });

  it('are none without one', () => {
    const { api } = apiWith();
    expect(() => api.metric('MessagesSent')).toThrow("metricsNamespace of 'Test/Api'");
  });
});

describe('a program outside Lambda', () => {
  it('may run sessions with a role that is granted it', () => {
    const { stack, api } = apiWith({ functions: [] });
    api.grantSession(new Role(stack, 'Task', { assumedBy: new AccountPrincipal('111111111111') }));
    api.sendsTo(inlineEndpoint(stack, 'Orders'));
    expect(allowedActions(stack, 'TaskDefaultPolicy')).toEqual({
      'Allow Outbox': records,
      'Allow OrdersQueue': ['sqs:SendMessage'],
    });
    expect(api.handlerEnvironment).toMatchObject({ SAGABOX_ENDPOINT: 'api' });
  });

  it('may not with one of another account', () => {
    const { stack, api } = apiWith({}, regionalStack('eu-west-1'));
    api.grantSession(new AccountPrincipal('222222222222'));
    expectViolation(stack, "grantSession: 'the grantee' is of account 222222222222");
  });
});

describe('the relay of an endpoint that only sends', () => {
  it('finds its records, and may send to its destinations', () => {
    const { stack, api, outboxTable } = apiWith({ deduplicationPeriod: Duration.days(1) });
    const orders = inlineEndpoint(stack, 'Orders', { outboxTable });
    api.sendsTo(orders);
    new OutboxRelay(stack, 'Relay', { endpoints: [orders, api] });
    expect(jsonVariable(stack, 'RelayFunction', 'SAGABOX_RELAY')).toMatchObject({
      strategy: 'stream',
      endpoints: ['orders', 'api'],
      exceptions: { api: { SAGABOX_DEDUPLICATION_PERIOD_SECONDS: '86400' } },
    });
    expect(allowedActions(stack, 'RelayFunctionPolicy')).toMatchObject({
      'Allow OrdersQueue': ['sqs:SendMessage'],
    });
    expect(violationsOf(stack)).toBe('');
  });

  it('waits until the slowest of its functions has ended, whenever that is added', () => {
    const violationsWith = (seconds: number) => {
      const { stack, api } = apiWith();
      new OutboxRelay(stack, 'Relay', { endpoints: [api], olderThan: Duration.seconds(60) });
      api.addFunction(inlineFunction(stack, 'Slow', Duration.seconds(seconds)));
      return violationsOf(stack);
    };
    expect(violationsWith(60)).toBe('');
    expect(violationsWith(61)).toContain("the timeout of 61 s of the function of 'Test/Api'");
  });

  it('is of the app, or said to be elsewhere', () => {
    const violationsWith = (isRelayed: boolean) => {
      const stack = unbundledStack();
      const outboxTable = new OutboxTable(stack, 'Outbox');
      const api = new SendOnlyEndpoint(stack, 'Api', { outboxTable });
      const orders = inlineEndpoint(stack, 'Orders', { outboxTable });
      new OutboxRelay(stack, 'Relay', { endpoints: isRelayed ? [orders, api] : [orders] });
      return violationsOf(stack);
    };
    expect(violationsWith(true)).toBe('');
    expect(violationsWith(false)).toContain('[Test/Api] relay: no OutboxRelay of the app has this endpoint');
  });
});

describe('what is wrong with an endpoint that only sends is reported at synth', () => {
  it('all at once', () => {
    const stack = unbundledStack();
    const claimCheck = new ClaimCheckBucket(stack, 'Bodies');
    const { api } = apiWith(
      {
        claimCheck,
        deduplicationPeriod: Duration.millis(1_500),
        endpointName: '',
        functions: [
          LambdaFunction.fromFunctionArn(
            stack,
            'Imported',
            'arn:aws:lambda:eu-west-1:111111111111:function:f',
          ),
          new LambdaFunction(stack, 'Python', {
            runtime: Runtime.PYTHON_3_13,
            handler: 'index.handler',
            code: Code.fromInline('handler = None'),
          }),
        ],
        relay: undefined as never,
        outboxTable: undefined as never,
      },
      stack,
    );
    api.sendsTo({ name: '', queue: new Queue(stack, 'Any') }, inlineEndpoint(stack, 'Orders'));
    const found = violationsOf(stack);
    for (const violation of [
      'deduplicationPeriod: 1.5 s is out of range',
      'endpointName: it is empty',
      "functions: 'Test/Imported' is imported",
      "functions: 'Test/Python' has the runtime 'python3.13', which runs no JavaScript",
      'relay: no OutboxRelay of the app',
      'sendsTo: a destination has an empty name',
      'claimCheck: Test/Orders receives messages of this endpoint, but does not use its bucket',
    ]) {
      expect(found).toContain(violation);
    }
  });

  it('its outbox table is missing, or not made for records', () => {
    const stack = unbundledStack();
    new SendOnlyEndpoint(stack, 'Api', { relay } as unknown as SendOnlyEndpointProps);
    expectViolation(stack, '[Test/Api] outboxTable: it is missing');
    const keyed = unbundledStack();
    const partitionKey = { name: 'PK', type: AttributeType.STRING };
    apiWith({ outboxTable: new Table(keyed, 'Outbox', { partitionKey }) }, keyed);
    expectViolation(keyed, "outboxTable: 'Test/Outbox' lacks a partition key and a sort key");
  });

  it('its function serves another endpoint', () => {
    const { stack, api, outboxTable } = apiWith();
    const own = inlineFunction(stack, 'Own');
    new MessageEndpoint(stack, 'Orders', { function: own, outboxTable });
    api.addFunction(own);
    const found = violationsOf(stack);
    expect(found).toContain("functions: 'Test/Own' also serves Test/Orders");
    expect(found).toContain('function: it also serves Test/Api');
  });

  it('another endpoint of its name keeps records in its table', () => {
    const { stack, outboxTable } = apiWith({ endpointName: 'orders' });
    const orders = inlineEndpoint(stack, 'Orders', { outboxTable });
    new OutboxRelay(stack, 'Relay', { endpoints: [orders] });
    const found = violationsOf(stack);
    expect(found).toContain("[Test/Api] endpointName: 'orders' is also the name of Test/Orders");
    expect(found).toContain("[Test/Orders] endpointName: 'orders' is also the name of Test/Api");
  });

  it('its bucket keeps bodies for less time than its records', () => {
    const stack = unbundledStack();
    const claimCheck = new ClaimCheckBucket(stack, 'Bodies', { retention: Duration.days(10) });
    const { api } = apiWith({ claimCheck }, stack);
    expect(violationsOf(stack)).toBe('');
    expect(api.claimCheckBucket).toBe(claimCheck);
    const short = unbundledStack();
    const bucket = new ClaimCheckBucket(short, 'Bodies', { retention: Duration.days(9) });
    apiWith({ claimCheck: bucket }, short);
    expectViolation(short, 'a stored response may be asked for during the 604800 s of deduplicationPeriod');
  });
});

describe('who operates an endpoint that only sends', () => {
  it('finds its variables in the output of the stack', () => {
    const { stack } = apiWith();
    const text = JSON.stringify(Template.fromStack(stack).toJSON().Outputs).replaceAll('\\', '');
    expect(text).toContain('"sagaboxEndpoint":"api"');
    expect(text).not.toContain('queueUrl');
    const silent = apiWith({ operatingOutput: false }).stack;
    expect(Template.fromStack(silent).toJSON()).not.toHaveProperty('Outputs');
  });

  it('may relay and read, and nothing of queues', () => {
    const { stack, api } = apiWith();
    api.grantOperate(new Role(stack, 'Operator', { assumedBy: new AccountPrincipal('111111111111') }));
    const statements = policyStatements(stack, 'Operator');
    expect(statements).toContainEqual(
      expect.objectContaining({
        Resource: arnOf('Outbox'),
        Action: expect.arrayContaining(['dynamodb:GetItem']),
      }),
    );
    const actions = statements.flatMap(({ Action }) => Action);
    expect(actions.filter((action) => action.startsWith('sqs:'))).toEqual([]);
    expect(actions).toContain('cloudformation:DescribeStacks');
  });
});
