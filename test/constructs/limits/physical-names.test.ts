import { describe, expect, it } from '@jest/globals';
import { type App, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  ClaimCheckBucket,
  EndpointMonitoring,
  MessageEndpoint,
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
    ['taken for a FIFO queue and a standard queue', ''],
    [
      'refused for two standard queues',
      "queueName: 'shop' of 'Test/Orders/Queue' is also the name of Test/Billing/Queue",
    ],
  ])('is %s', (result, violation) => {
    const fifo = result === 'taken for a FIFO queue and a standard queue';
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
  { make: (scope: Construct) => unknown; path: string; name: string; within?: string }
> = {
  functionName: {
    make: (scope) =>
      new MessageEndpoint(scope, 'Made', {
        entry: 'lambdas/orders.ts',
        functionProps: { functionName: 'shop' },
      }),
    path: '/Function',
    name: 'shop',
  },
  groupName: {
    make: (scope) => new MessageScheduler(scope, 'Made', { groupName: 'shop' }),
    path: '/Group',
    name: 'shop',
  },
  alarmName: {
    make: (scope) => monitoredIn(scope, { alarmNamePrefix: 'shop', dashboard: false }),
    path: '/DeadLetters',
    name: 'shop-orders-deadLetters',
  },
  dashboardName: {
    make: (scope) => monitoredIn(scope, { alarms: false, dashboardName: 'shop' }),
    path: '/Dashboard',
    name: 'shop',
    within: 'the same account',
  },
  bucketName: {
    make: (scope) => new ClaimCheckBucket(scope, 'Made', { bucketName: 'shop' }),
    path: '',
    name: 'shop',
    within: 'all accounts and regions',
  },
};

function monitoredIn(scope: Construct, props: object) {
  return new EndpointMonitoring(scope, 'Made', { endpoint: inlineEndpoint(scope, 'Orders'), ...props });
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
    const found = namesakes({ env }, { env });
    const problem = `[One/Made] ${setting}: '${name}' of 'One/Made${path}' is also the name of Other/Made${path}, in ${scope}. Give`;
    expect(found).toContain(problem);
    expect(found.split('[One/Made]')).toHaveLength(2);
  });

  it('of two resources of one stack is reported, wherever it is deployed', () => {
    const stack = unbundledStack();
    for (const id of ['One', 'Other']) make(new Construct(stack, id));
    expectViolation(stack, `'${name}' of 'Test/One/Made${path}' is also the name of Test/Other/Made${path}`);
  });

  it('of two stacks whose environments are known only at deployment may be one, except anywhere', () => {
    expect(namesakes({}, {}) !== '').toBe(scope === 'all accounts and regions');
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
