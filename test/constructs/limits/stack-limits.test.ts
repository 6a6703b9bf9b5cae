import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type App, CfnOutput, CfnParameter, CfnResource, Stack } from 'aws-cdk-lib';
import { AccountPrincipal, Group, Policy, PolicyStatement, type Role, User } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  ClaimCheckBucket,
  EndpointMonitoring,
  type MessageEndpoint,
  MessageScheduler,
  MessagingTable,
  OutboxRelay,
  OutboxTable,
  SagaTable,
} from 'sagabox/constructs';
import { stackLimits } from '../../../lib/constructs/limits/stack-limits.ts';
import {
  inlineEndpoint,
  inlineFunction,
  limitsOf,
  ordersEndpoint,
  synthFailureOf,
  unbundledStack,
} from '../support.ts';

/** Adds so many characters to an app with an endpoint 'Orders'. */
type Padding = (orders: MessageEndpoint, stack: Stack, characters: number) => void;

const sends = (resource: string) =>
  new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [resource] });

function operated(orders: MessageEndpoint, operator: User | Group, characters: number): void {
  orders.grantOperate(operator);
  operator.attachInlinePolicy(new Policy(operator, 'More', { statements: [sends('x'.repeat(characters))] }));
}

const cases: readonly [string, number, RegExp, Padding][] = [
  [
    'the inline policies of a role',
    stackLimits.roleInlinePolicyCharacters,
    /\[Test\] role 'Test\/Own\/ServiceRole\/Resource': .* have (\d+) characters, and IAM takes 10240\. Send to fewer/,
    ({ function: handler }, stack, characters) => {
      // What does not fit the default policy CDK puts into managed policies, but no other policy.
      const statements = [sends('x'.repeat(characters))];
      new Policy(stack, 'More', { roles: [handler.role as Role], statements });
    },
  ],
  [
    'the environment of a function',
    stackLimits.environmentBytes,
    /\[Test\] function 'Test\/Own\/Resource': .* has (\d+) bytes, and Lambda takes 4096\. Shorten the variables/,
    ({ function: handler }, _stack, characters) => {
      handler.addEnvironment('OWN', 'x'.repeat(characters));
    },
  ],
  [
    'the inline policies of a user that operates',
    stackLimits.userInlinePolicyCharacters,
    /\[Test\] user 'Test\/Operator\/Resource': .* have (\d+) characters, and IAM takes 2048\. Grant to a role/,
    (orders, stack, characters) => operated(orders, new User(stack, 'Operator'), characters),
  ],
  [
    'the inline policies of a group that operates',
    stackLimits.groupInlinePolicyCharacters,
    /\[Test\] group 'Test\/Operators\/Resource': .* have (\d+) characters, and IAM takes 5120\. Grant to a role/,
    (orders, stack, characters) => operated(orders, new Group(stack, 'Operators'), characters),
  ],
  [
    'the policy of a queue',
    stackLimits.queuePolicyBytes,
    /\[Test\] queue policy 'Test\/Orders\/Queue\/Policy\/Resource': it has 2 statements and (\d+) bytes/,
    ({ queue }, _stack, characters) => {
      const statement = sends('x'.repeat(characters));
      statement.addPrincipals(new AccountPrincipal('111111111111'));
      queue.addToResourcePolicy(statement);
    },
  ],
  [
    'the template',
    stackLimits.templateBytes,
    /\[Test\] template: that of the stack has (\d+) bytes, and CloudFormation takes 1048576\. Move/,
    (_orders, stack, characters) => {
      new CfnResource(stack, 'Large', {
        type: 'Own::Any::Type',
        properties: { Any: 'x'.repeat(characters) },
      });
    },
  ],
];

describe('a stack', () => {
  it.each(cases)('may fill %s to the limit of %i, and no further', (_what, limit, violation, pad) => {
    const found = (characters: number) => {
      const { stack, orders } = ordersEndpoint();
      pad(orders, stack, characters);
      return limitsOf(stack);
    };
    const sizeOf = (message: string) => Number(violation.exec(message)?.[1]);
    const padding = limit - (sizeOf(found(limit)) - limit);
    expect(found(padding)).toBe('');
    expect(sizeOf(found(padding + 1))).toBe(limit + 1);
  });

  it.each([
    [60, ''],
    [150, "role 'Test/Relay/FunctionRole/Resource': its inline policies have "],
  ])('may have a relay to %i destinations: %p', (destinations, violation) => {
    const { stack, orders } = ordersEndpoint((scope) => ({ outboxTable: new OutboxTable(scope, 'Outbox') }));
    for (let index = 0; index < destinations; index += 1)
      orders.sendsTo({ name: `queue-${index}`, queue: new Queue(stack, `Queue${index}`) });
    new OutboxRelay(stack, 'Relay', { endpoints: [orders], strategy: 'scan' });
    const found = limitsOf(stack);
    if (violation === '') expect(found).toBe('');
    else expect(found).toContain(violation);
  });

  it('may have a queue policy of 20 statements, and no more', () => {
    expect(limitsWithStatements(20)).toBe('');
    expect(limitsWithStatements(21)).toContain(
      "queue policy 'Test/Orders/Queue/Policy/Resource': it has 21 statements",
    );
  });

  function limitsWithStatements(count: number): string {
    const { stack, orders } = ordersEndpoint();
    // One refuses plain HTTP.
    for (let index = 1; index < count; index += 1) {
      const statement = sends(orders.queue.queueArn);
      statement.addPrincipals(new AccountPrincipal(String(index).padStart(12, '0')));
      orders.queue.addToResourcePolicy(statement);
    }
    return limitsOf(stack);
  }

  it('may have 500 resources, and no more', () => {
    expect(limitsWithResources(500)).toBe('');
    expect(limitsWithResources(501)).toMatch(
      /\[Test\] resources: the stack has 501, and CloudFormation takes 500; \d+ of them are of Test\/Orders, .* Move endpoints/,
    );
  });

  function limitsWithResources(count: number): string {
    const { stack } = ordersEndpoint();
    const others = stack.node.findAll().filter((each) => CfnResource.isCfnResource(each)).length;
    for (let index = others; index < count; index += 1) {
      new CfnResource(stack, `Any${index}`, { type: 'Own::Any::Type' });
    }
    return limitsOf(stack);
  }

  it.each<[string, (stack: Stack, text: string) => void]>([
    ['outputs', (stack, value) => void new CfnOutput(stack, 'Any', { value })],
    ['parameters', (stack, value) => void new CfnParameter(stack, 'Any', { default: value })],
    [
      'a description',
      (stack, text) => {
        stack.templateOptions.description = text;
      },
    ],
  ])('may fill the template with %s to the limit, and no further, as it is written', (_what, pad) => {
    const filled = (characters: number) => {
      const { stack } = ordersEndpoint();
      pad(stack, 'x'.repeat(characters));
      return stack;
    };
    const limit = stackLimits.templateBytes;
    const sizeOf = (stack: Stack) =>
      Number(/template: that of the stack has (\d+)/.exec(synthFailureOf(stack))?.[1]);
    const most = limit - (sizeOf(filled(limit)) - limit);
    expect(sizeOf(filled(most + 1))).toBe(limit + 1);
    const { directory } = (filled(most).node.root as App).synth();
    const written = readFileSync(join(directory, 'Test.template.json')).length;
    expect(written).toBeLessThanOrEqual(limit);
    expect(written).toBeGreaterThan(limit - 100);
  });

  it.each([
    ['by the stack', { suppressTemplateIndentation: true }, {}],
    ['by the context', {}, { '@aws-cdk/core:suppressTemplateIndentation': true }],
    ['not', {}, {}],
  ])('is measured without the indentation that is suppressed: %s', (kind, props, context) => {
    const stack = new Stack(unbundledStack(context).node.root, 'Dense', props);
    inlineEndpoint(stack, 'Orders');
    const value = Array.from({ length: 200_000 }, () => 1);
    new CfnResource(stack, 'Deep', { type: 'Own::Any::Type', properties: { Any: value } });
    const found = limitsOf(stack);
    if (kind === 'not') expect(found).toContain('[Dense] template: that of the stack has');
    else expect(found).toBe('');
  });

  it.each<[string, (stack: Stack) => void]>([
    ['SagaTable', (stack) => void new SagaTable(stack, 'Only')],
    ['OutboxTable', (stack) => void new OutboxTable(stack, 'Only')],
    ['MessagingTable', (stack) => void new MessagingTable(stack, 'Only')],
    ['ClaimCheckBucket', (stack) => void new ClaimCheckBucket(stack, 'Only')],
    ['MessageScheduler', (stack) => void new MessageScheduler(stack, 'Only')],
    [
      'EndpointMonitoring',
      (stack) => {
        const shop = new Stack(stack.node.root as App, 'Shop');
        new EndpointMonitoring(stack, 'Only', {
          endpoint: inlineEndpoint(shop, 'Orders', { queueName: 'orders' }),
        });
      },
    ],
  ])('that holds only a %s is judged as well', (_name, make) => {
    const stack = unbundledStack();
    make(stack);
    for (let index = 0; index < stackLimits.resources; index += 1)
      new CfnResource(stack, `Any${index}`, { type: 'Own::Any::Type' });
    expect(limitsOf(stack)).toMatch(/\[Test\] resources: the stack has \d+, .* of them are of Test\/Only\./);
  });

  it('is told of a role that policies of another stack fill', () => {
    const data = unbundledStack();
    const scheduler = new MessageScheduler(data, 'Scheduler');
    const shop = new Stack(data.node.root as Stack, 'Shop');
    inlineEndpoint(shop, 'Orders', { scheduler });
    const statements = [sends('x'.repeat(stackLimits.roleInlinePolicyCharacters))];
    new Policy(shop, 'More', { roles: [scheduler.role], statements });
    expect(limitsOf(data)).toContain("[Test] role 'Test/Scheduler/Role/Resource': its inline policies have");
  });

  it('may have what it likes of others: only the roles, functions and queues of endpoints are measured', () => {
    const { stack } = ordersEndpoint();
    const foreign = inlineFunction(stack, 'Foreign');
    foreign.addEnvironment('OWN', 'x'.repeat(stackLimits.environmentBytes));
    new Topic(stack, 'Events');
    expect(limitsOf(stack)).toBe('');
  });

  it('reports all that is over a limit at once', () => {
    const { stack, orders } = ordersEndpoint();
    for (const [, limit, , pad] of cases) pad(orders, stack, limit);
    const found = limitsOf(stack);
    for (const start of ['role ', 'user ', 'group ', 'function ', 'queue policy ', 'template: '])
      expect(found).toContain(`[Test] ${start}`);
  });
});
