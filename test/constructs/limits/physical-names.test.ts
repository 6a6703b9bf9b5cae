import { describe, expect, it } from '@jest/globals';
import { type App, Aws, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  ClaimCheckBucket,
  EndpointMonitoring,
  MessageEndpoint,
  type MessageEndpointProps,
  MessageScheduler,
  MessagingTable,
  OutboxTable,
  SagaTable,
} from 'sagabox/constructs';
import { expectViolation, inlineEndpoint, unbundledStack, violationsOf } from '../support.ts';

const env = { account: '111111111111', region: 'eu-west-1' };
const partitionKey = { name: 'PK', type: AttributeType.STRING };

describe('a name of two tables', () => {
  it.each([
    ['records', 'records', true],
    ['records', 'sagas', false],
    ['records', undefined, false],
  ])('is reported with both paths: %s and %s', (one, other, isReported) => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas', { tableName: one });
    new OutboxTable(stack, 'Outbox', other === undefined ? {} : { tableName: other });
    if (!isReported) expectViolation(stack, '');
    else {
      expectViolation(
        stack,
        "[Test/Sagas] tableName: 'records' of 'Test/Sagas' is also the name of Test/Outbox, in the same account and " +
          'region. Give each a name of its own, or leave it out.',
      );
      expectViolation(
        stack,
        "[Test/Outbox] tableName: 'records' of 'Test/Outbox' is also the name of Test/Sagas",
      );
    }
  });

  it('is reported when one of them is no table of ours', () => {
    const stack = unbundledStack();
    new MessagingTable(stack, 'Messages', { tableName: 'records' });
    new Table(stack, 'Own', { tableName: 'records', partitionKey });
    expectViolation(stack, "tableName: 'records' of 'Test/Messages' is also the name of Test/Own");
  });

  it('may be that of a queue', () => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas', { tableName: 'orders' });
    inlineEndpoint(stack, 'Orders', { queueName: 'orders' });
    expectViolation(stack, '');
  });
});

describe('a queueName of two endpoints', () => {
  it('is reported with both paths, for all their queues', () => {
    const stack = unbundledStack();
    for (const id of ['Orders', 'Billing']) inlineEndpoint(stack, id, { queueName: 'shop' });
    for (const [queue, name] of Object.entries({
      Queue: 'shop',
      DeadLetterQueue: 'shop-dead-letters',
      ErrorQueue: 'shop-errors',
    })) {
      const found = `queueName: '${name}' of 'Test/Orders/${queue}' is also the name of Test/Billing/${queue}, in`;
      expectViolation(stack, `[Test/Orders] ${found}`);
    }
    expectViolation(
      stack,
      "[Test/Billing] queueName: 'shop' of 'Test/Billing/Queue' is also the name of Test/Orders",
    );
  });

  it.each([
    [true, ''],
    [false, "queueName: 'shop' of 'Test/Orders/Queue' is also the name of Test/Billing/Queue"],
  ])('may be that of a FIFO queue and of a standard queue: %s', (fifo, violation) => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders', { queueName: 'shop' });
    inlineEndpoint(stack, 'Billing', { queueName: 'shop', fifo });
    expectViolation(stack, violation);
  });

  it('is reported when a dead letter queue or a queue of another kind has it', () => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders', { queueName: 'shop' });
    new Queue(stack, 'Own', { queueName: 'shop-errors' });
    expectViolation(
      stack,
      "queueName: 'shop-errors' of 'Test/Orders/ErrorQueue' is also the name of Test/Own",
    );
  });

  it.each<[string, StackProps, StackProps, boolean]>([
    ['one environment', { env }, { env }, true],
    ['environments that are known at deployment', {}, {}, true],
    ['two regions', { env }, { env: { ...env, region: 'eu-central-1' } }, false],
    ['two accounts', { env }, { env: { ...env, account: '222222222222' } }, false],
  ])('is reported in two stacks of %s: %#', (_environments, one, other, isReported) => {
    const main = unbundledStack();
    const app = main.node.root as App;
    inlineEndpoint(new Stack(app, 'One', one), 'Orders', { queueName: 'shop' });
    inlineEndpoint(new Stack(app, 'Other', other), 'Orders', { queueName: 'shop' });
    const found = violationsOf(main);
    expect(found.includes('is also the name of Other/Orders/Queue')).toBe(isReported);
    if (!isReported) expect(found).toBe('');
  });

  it.each<[string, StackProps, boolean]>([
    ['one environment', { env }, true],
    ['environments that are known at deployment', {}, false],
  ])('is reported in two Stages of %s: %#', (_environments, props, isReported) => {
    const main = unbundledStack();
    for (const id of ['Dev', 'Prod']) {
      const stack = new Stack(new Stage(main.node.root, id), 'Shop', props);
      inlineEndpoint(stack, 'Orders', { queueName: 'shop' });
    }
    const found = violationsOf(main);
    expect(found.includes('is also the name of Prod/Shop/Orders/Queue')).toBe(isReported);
    if (!isReported) expect(found).toBe('');
  });
});

/** By setting: what makes the resource with a name, and the path of that resource below the construct. */
const named: Record<
  string,
  { make: (stack: Stack) => unknown; path: string; name: string; within?: string }
> = {
  functionName: {
    make: (stack) =>
      new MessageEndpoint(stack, 'Made', {
        entry: 'lambdas/orders.ts',
        functionProps: { functionName: 'shop' },
      }),
    path: '/Function',
    name: 'shop',
  },
  groupName: {
    make: (stack) => new MessageScheduler(stack, 'Made', { groupName: 'shop' }),
    path: '/Group',
    name: 'shop',
  },
  alarmName: {
    make: (stack) => monitoredIn(stack, { alarmNamePrefix: 'shop', dashboard: false }),
    path: '/DeadLetters',
    name: 'shop-orders-deadLetters',
  },
  dashboardName: {
    make: (stack) => monitoredIn(stack, { alarms: false, dashboardName: 'shop' }),
    path: '/Dashboard',
    name: 'shop',
    within: 'the same account',
  },
  bucketName: {
    make: (stack) => new ClaimCheckBucket(stack, 'Made', { bucketName: 'shop' }),
    path: '',
    name: 'shop',
    within: 'all accounts and regions',
  },
};

function monitoredIn(stack: Stack, props: object) {
  return new EndpointMonitoring(stack, 'Made', { endpoint: inlineEndpoint(stack, 'Orders'), ...props });
}

const inChina = { account: '111111111111', region: 'cn-north-1' };
const nearby = { ...env, region: 'eu-central-1' };

describe.each(Object.entries(named))('a %s', (setting, { make, path, name, within }) => {
  const scope = within ?? 'the same account and region';

  function namesakes(one: StackProps, other: StackProps, stages?: [string, string]): string {
    const main = unbundledStack();
    const [here, there] = stages ? stages.map((id) => new Stage(main.node.root, id)) : [main.node.root];
    make(new Stack(here ?? main, 'One', one));
    make(new Stack(there ?? here ?? main, 'Other', other));
    return violationsOf(main);
  }

  it('of two resources in one place is reported once with both paths', () => {
    for (const own of [{ env }, {}]) {
      const found = namesakes(own, own);
      const problem = `[One/Made] ${setting}: '${name}' of 'One/Made${path}' is also the name of Other/Made${path}, in ${scope}. Give`;
      expect(found).toContain(problem);
      expect(found.split('[One/Made]')).toHaveLength(2);
    }
  });

  it('is one namespace as far as the service says', () => {
    expect(namesakes({ env }, { env: nearby }) !== '').toBe(scope !== 'the same account and region');
    const otherAccount = { env: { ...env, account: '222222222222' } };
    expect(namesakes({ env }, otherAccount) !== '').toBe(scope === 'all accounts and regions');
    expect(namesakes({ env: { ...env, account: '333333333333' } }, { env: inChina })).toBe('');
  });

  it('may be that of Dev and Prod, whose environments are known only at deployment', () => {
    expect(namesakes({}, {}, ['Dev', 'Prod'])).toBe('');
    expect(namesakes({ env }, { env }, ['Dev', 'Prod'])).toContain(`'${name}' of 'Dev/One/Made${path}'`);
  });
});

describe('a metricsNamespace', () => {
  function reported(
    one: StackProps,
    other: StackProps,
    props: Partial<MessageEndpointProps>[],
    stages = false,
  ) {
    const main = unbundledStack();
    const [here, there] = ['Dev', 'Prod'].map((id) =>
      stages ? new Stage(main.node.root, id) : main.node.root,
    );
    const own = { metricsNamespace: 'Shop' };
    inlineEndpoint(new Stack(here, 'One', one), 'Orders', { ...own, ...props[0] });
    inlineEndpoint(new Stack(there, 'Other', other), 'Orders', { ...own, ...props[1] });
    return violationsOf(main);
  }

  it.each([false, true])('of two endpoints of one name in one place is reported, in Stages: %s', (stages) => {
    const found = reported({ env }, { env }, [], stages);
    const [one, other] = stages ? ['Dev/One', 'Prod/Other'] : ['One', 'Other'];
    expect(found).toContain(
      `[${one}/Orders] metricsNamespace: 'Shop: orders' of '${one}/Orders' also takes the metrics of ${other}/Orders, in the ` +
        'same account and region. Give each a metricsNamespace of its own, such as one for each stage, or an ' +
        'endpointName of its own.',
    );
  });

  it('of two endpoints of one name in one stack is reported', () => {
    const stack = unbundledStack();
    for (const id of ['Orders', 'Copy']) {
      inlineEndpoint(stack, id, { endpointName: 'orders', metricsNamespace: 'Shop' });
    }
    expectViolation(stack, "'Shop: orders' of 'Test/Orders' also takes the metrics of Test/Copy, in");
  });

  it.each<[string, Parameters<typeof reported>]>([
    ['environments that are known at deployment', [{}, {}, []]],
    ['Stages whose environments are known at deployment', [{}, {}, [], true]],
    ['two regions', [{ env }, { env: nearby }, []]],
    ['two accounts', [{ env }, { env: { ...env, account: '222222222222' } }, []]],
    ['two namespaces', [{ env }, { env }, [{}, { metricsNamespace: 'ShopTest' }]]],
    ['two names', [{ env }, { env }, [{}, { endpointName: 'billing' }]]],
    ['names known at deployment', [{ env }, { env }, [{}, { metricsNamespace: Aws.STACK_NAME }]]],
  ])('may be one for %s', (_which, [one, other, props, stages]) => {
    expect(reported(one, other, props, stages)).toBe('');
  });

  it('may be that of the endpoint that an import stands for', () => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders', { metricsNamespace: 'Shop' });
    MessageEndpoint.fromMessageEndpointAttributes(stack, 'Imported', {
      endpointName: 'orders',
      metricsNamespace: 'Shop',
      queueArn: 'arn:aws:sqs:eu-west-1:111111111111:orders',
    });
    expectViolation(stack, '');
  });
});
