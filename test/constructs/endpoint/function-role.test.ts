import { describe, expect, it } from '@jest/globals';
import { type App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { type IRole, LazyRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { MessageEndpoint, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { inlineEndpoint, regionalStack, violationsOf } from '../support.ts';
import { entry } from './bundled-endpoint.ts';

const lambda = { assumedBy: new ServicePrincipal('lambda.amazonaws.com') };
const arnIn = (account: string) => `arn:aws:iam::${account}:role/handlers`;

const roles = {
  made: (stack: Stack) => new Role(stack, 'Role', lambda),
  lazy: (stack: Stack) => new LazyRole(stack, 'Role', lambda),
  imported: (stack: Stack) => Role.fromRoleArn(stack, 'Role', arnIn('111111111111')),
  immutable: (stack: Stack) => Role.fromRoleArn(stack, 'Role', arnIn('111111111111'), { mutable: false }),
  unchanged: (stack: Stack) => new Role(stack, 'Role', lambda).withoutPolicyUpdates(),
  foreign: (stack: Stack) => Role.fromRoleArn(stack, 'Role', arnIn('222222222222')),
} as const;

const uses: Readonly<Record<string, (stack: Stack, role: IRole) => unknown>> = {
  'a bundled function': (stack, role) =>
    new MessageEndpoint(stack, 'Orders', { entry, functionProps: { role } }),
  'a given function': (stack, role) => {
    const code = Code.fromInline('export const handler = async () => {};');
    const runtime = { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code, role };
    const handler = new LambdaFunction(stack, 'Own', { ...runtime, recursiveLoop: RecursiveLoop.ALLOW });
    return new MessageEndpoint(stack, 'Orders', { function: handler });
  },
  'a relay': (stack, role) => {
    const outboxTable = new OutboxTable(stack, 'Outbox');
    const endpoints = [inlineEndpoint(stack, 'Billing', { outboxTable })];
    return new OutboxRelay(stack, 'Orders', { endpoints, functionProps: { role } });
  },
};

describe.each(Object.entries(uses))('the role of %s', (_, use) => {
  const found = (kind: keyof typeof roles) => {
    const stack = regionalStack('eu-west-1');
    use(stack, roles[kind](stack));
    const warnings = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('^role'));
    return { warnings: warnings.map(({ entry: { data } }) => String(data)), violations: violationsOf(stack) };
  };

  it.each(['made', 'lazy', 'imported'] as const)('is granted what it needs, if it is %s', (kind) => {
    expect(found(kind)).toEqual({ warnings: [], violations: '' });
  });

  it.each(['immutable', 'unchanged'] as const)('is warned of, if it is %s', (kind) => {
    const { warnings, violations } = found(kind);
    expect(warnings).toEqual([expect.stringContaining('takes no policies of the app')]);
    expect(violations).toBe('');
  });
});

describe('a role of another account', () => {
  it.each(Object.entries(uses))('is refused for %s', (_, use) => {
    const stack = regionalStack('eu-west-1');
    use(stack, roles.foreign(stack));
    expect(violationsOf(stack)).toContain(
      "[Regional/Orders] role: 'Regional/Role' is of account 222222222222, and the function of account 111111111111",
    );
  });

  it('is not told from one of an account that is not known', () => {
    const app = regionalStack('eu-west-1').node.root as App;
    const stack = new Stack(app, 'Agnostic');
    new MessageEndpoint(stack, 'Orders', { entry, functionProps: { role: roles.foreign(stack) } });
    expect(violationsOf(stack)).toBe('');
  });
});
