import { describe, expect, it } from '@jest/globals';
import { type App, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { type MessageEndpoint, MessageScheduler, type MessageSchedulerProps } from 'sagabox/constructs';
import { rendered } from '../../../lib/constructs/limits/rendered-size.ts';
import { cells } from '../../support/samples.ts';
import { functionId, manyEndpoints } from '../limits/many-endpoints.ts';
import { allowedActions, inlineEndpoint, policyStatements, unbundledStack, variablesOf } from '../support.ts';

const MAX_ROLE_BYTES = 10_240;

interface Policy {
  readonly Properties: { readonly PolicyDocument: unknown; readonly Roles: unknown[] };
}

/** The inline policies of each role together, with names of 80 characters and without white space. */
function roleSizes(app: App): Record<string, number> {
  const sizes: Record<string, number> = {};
  for (const stack of app.node.findAll().filter(Stack.isStack)) {
    const policies = Template.fromStack(stack).findResources('AWS::IAM::Policy') as Record<string, Policy>;
    for (const { Properties } of Object.values(policies)) {
      const role = JSON.stringify(Properties.Roles[0]).replace(/^.*?(\w+)"}$/, '$1');
      const document = JSON.stringify(rendered(stack, Properties.PolicyDocument));
      sizes[role] = (sizes[role] ?? 0) + document.replaceAll(/\s/g, '').length;
    }
  }
  return sizes;
}

const rolesOf = (app: App) =>
  app.node
    .findAll()
    .filter(Stack.isStack)
    .flatMap((stack) => Object.keys(Template.fromStack(stack).findResources('AWS::IAM::Role')))
    .filter((id) => id.includes('SchedulerRole'));

const roleNamed = (endpoint: MessageEndpoint, index: number) => {
  const scheduler = variablesOf(Stack.of(endpoint), functionId(index)).SAGABOX_SCHEDULER;
  return /"roleName\\":\\"",\{"Ref":"(\w+)"/.exec(JSON.stringify(scheduler))?.[1] ?? '';
};

/** Three endpoints that send to 24 queues, whose ARNs do not fit into one role. */
function busyEndpoints(props: MessageSchedulerProps = {}) {
  const many = manyEndpoints(3, 1, props);
  for (const [index, endpoint] of many.endpoints.entries()) {
    for (let other = 0; other < 8; other++) {
      const name = `queue-${index}-${other}`.padEnd(450, 'x');
      const queueArn = `arn:aws:sqs:eu-west-1:111111111111:${name}`;
      endpoint.sendsTo({ name: `q${other}`, queue: Queue.fromQueueArn(endpoint, `Q${other}`, queueArn) });
    }
  }
  return many;
}

describe('the role of a shared scheduler', () => {
  const shops = [
    [10, 9],
    [30, 3],
    [30, 5],
  ] as const;
  it.each(cells(shops, ([count]) => count === 10))(
    'serves %i endpoints that each send to %i, with exact ARNs',
    (count, fanOut) => {
      const { app, stack } = manyEndpoints(count, fanOut);
      expect(rolesOf(app)).toHaveLength(1);
      const sizes = Object.values(roleSizes(app));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_ROLE_BYTES);
      const [statement] = policyStatements(stack, 'SchedulerPolicy');
      expect(statement?.Resource).toHaveLength(count);
    },
  );

  it('gives way to a role for each endpoint when it has no room for all, which the same group may take', () => {
    const { app, stack, endpoints } = busyEndpoints();
    const roles = rolesOf(app);
    expect(roles).toHaveLength(1 + endpoints.length);
    for (const bytes of Object.values(roleSizes(app))) expect(bytes).toBeLessThanOrEqual(MAX_ROLE_BYTES);
    const named = endpoints.map(roleNamed);
    expect(new Set(named).size).toBe(endpoints.length);
    expect(roles).toEqual(expect.arrayContaining(named));
    const trust = Object.entries(Template.fromStack(stack).findResources('AWS::IAM::Role'))
      .filter(([id]) => roles.includes(id))
      .map(([, { Properties, DeletionPolicy }]) => [Properties.AssumeRolePolicyDocument, DeletionPolicy]);
    expect(new Set(trust.map((each) => JSON.stringify(each))).size).toBe(1);
    const last = endpoints.length - 1;
    const allowed = allowedActions(stack, `E${last}SchedulerRolePolicy`);
    expect(Object.keys(allowed)).toHaveLength(2 + 8 + 1);
    expect(allowed).toMatchObject({
      'Allow SchedulerDeadLetterQueue': ['sqs:SendMessage'],
      [`Allow E${last}Queue`]: ['sqs:SendMessage'],
      'Allow E0Queue': ['sqs:SendMessage'],
    });
    const passed = policyStatements(stack, functionId(last)).filter(
      ({ Action }) => Action === 'iam:PassRole',
    );
    expect(passed.map(({ Resource }) => Resource)).toEqual([{ 'Fn::GetAtt': [named[last], 'Arn'] }]);
  });

  it('may be one for each endpoint, or be one for all, which is refused when it is too large', () => {
    expect(rolesOf(manyEndpoints(3, 1, { roles: 'perEndpoint' }).app)).toHaveLength(4);
    expect(() => manyEndpoints(3, 1, { roles: 'shared' }).app.synth()).not.toThrow();
    expect(() => busyEndpoints({ roles: 'shared' }).app.synth()).toThrow(
      /Scheduler\] roles: it is 'shared', and the policies of the role would take \d+ characters/,
    );
  });

  it.each(['auto', 'shared'] as const)(
    'is filled by endpoints of other stacks to the limit of IAM, and no further: %s',
    (roles) => {
      const props = roles === 'shared' ? { roles } : {};
      const filled = (length: number) => {
        const stackOf = (app: App, index: number) => new Stack(app, `Shop${index}`);
        const { app, endpoints } = manyEndpoints(3, 0, { ...props, stackOf });
        const queueArn = `arn:aws:sqs:eu-west-1:111111111111:${'q'.repeat(length)}`;
        for (const endpoint of endpoints.slice(2))
          endpoint.sendsTo({ name: 'long', queue: Queue.fromQueueArn(endpoint, 'Long', queueArn) });
        return app;
      };
      // By its logical id, and by the export that the other stacks know it by.
      const sharedSize = (app: App) =>
        Object.entries(roleSizes(app))
          .filter(([role]) => role.includes('SchedulerRole'))
          .reduce((sum, [, bytes]) => sum + bytes, 0);
      const most = 1 + MAX_ROLE_BYTES - sharedSize(filled(1));
      expect(rolesOf(filled(most))).toHaveLength(1);
      expect(sharedSize(filled(most))).toBe(MAX_ROLE_BYTES);
      if (roles === 'shared') expect(() => filled(most + 1).synth()).toThrow('would take 10241 characters');
      else expect(rolesOf(filled(most + 1))).toHaveLength(1 + 3);
    },
  );

  it('is known to the policies of an endpoint by a name that does not depend on what stands above', () => {
    const idsIn = (stage: boolean) => {
      const main = unbundledStack();
      const scope = stage ? new Stage(main.node.root, 'Prod') : main.node.root;
      const shared = new Stack(scope, 'Shared', { stackName: 'Shared' });
      const scheduler = new MessageScheduler(shared, 'Scheduler');
      const local = new Stack(scope, 'Local', { stackName: 'Local' });
      inlineEndpoint(local, 'Orders', { scheduler });
      return Object.keys(Template.fromStack(local).findResources('AWS::IAM::Policy'));
    };
    expect(idsIn(true)).toEqual(idsIn(false));
    expect(idsIn(true)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^OrdersSchedulerPolicyShared/)]),
    );
  });
});

describe('schedules with a key', () => {
  it('are made with it, and may use it, as may those who make them', () => {
    const stack = unbundledStack();
    const scheduleKey = new Key(stack, 'Key');
    const scheduler = new MessageScheduler(stack, 'Scheduler', { scheduleKey });
    inlineEndpoint(stack, 'Orders', { scheduler });
    expect(JSON.stringify(variablesOf(stack, 'OrdersOwn').SAGABOX_SCHEDULER)).toMatch(
      /"kmsKeyArn\\":\\"",\{"Fn::GetAtt":\["Key\w+","Arn"\]/,
    );
    expect(allowedActions(stack, 'SchedulerRole')['Allow Key']).toEqual(['kms:Decrypt']);
    expect(allowedActions(stack, 'OrdersOwn')['Allow Key']).toEqual([
      'kms:Decrypt',
      'kms:DescribeKey',
      'kms:GenerateDataKey',
    ]);
  });
});
