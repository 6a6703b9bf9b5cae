import { describe, expect, it } from '@jest/globals';
import { type App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { MessageSchedulerProps } from 'sagabox/constructs';
import { cells } from '../../support/samples.ts';
import { manyEndpoints } from '../limits/many-endpoints.ts';
import { type Statement, violationsOf } from '../support.ts';

interface Deployed {
  readonly endpoints?: { readonly stackOf?: (app: App, index: number) => Stack };
  readonly props?: MessageSchedulerProps;
  /** To how many queues each of the three endpoints sends. */
  readonly queues: readonly [number, number, number];
}

/** Three endpoints that share a scheduler, whose role has room for about ten queues. */
function deployed({ endpoints: place, props, queues }: Deployed) {
  const many = manyEndpoints(queues.length, 0, { ...place, ...props });
  for (const [index, endpoint] of many.endpoints.entries()) {
    for (let other = 0; other < (queues[index] ?? 0); other++) {
      const queueArn = `arn:aws:sqs:eu-west-1:111111111111:${`queue-${index}-${other}`.padEnd(960, 'x')}`;
      endpoint.sendsTo({ name: `q${other}`, queue: Queue.fromQueueArn(endpoint, `Q${other}`, queueArn) });
    }
  }
  return many;
}

interface Policy {
  readonly Properties: {
    readonly PolicyDocument: { readonly Statement: readonly Statement[] };
    readonly Roles: readonly unknown[];
  };
  readonly DeletionPolicy?: string;
}

/** By stack and logical id: as CloudFormation tells one policy from another. */
type Policies = Readonly<Record<string, Policy>>;

const stacksOf = (app: App) => app.node.findAll().filter(Stack.isStack);

function policiesOf(app: App): Policies {
  const each = stacksOf(app).flatMap((stack) =>
    Object.entries(Template.fromStack(stack).findResources('AWS::IAM::Policy')).map(
      ([id, policy]) => [`${stack.node.id}/${id}`, policy as Policy] as const,
    ),
  );
  return Object.fromEntries(each);
}

const outputsOf = (app: App) =>
  stacksOf(app).flatMap((stack) => Object.keys(Template.fromStack(stack).findOutputs('*')));

/** What the roles have after an update: also what left the template and is retained. */
function updated(before: Policies, after: Policies): Policies {
  const retained = Object.entries(before).filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain');
  return { ...Object.fromEntries(retained), ...after };
}

/** To which queues the roles of schedules may send, by the role's logical id. */
function queuesOfRoles(policies: Policies): Record<string, string[]> {
  const queues: Record<string, string[]> = {};
  for (const { Properties } of Object.values(policies)) {
    const role = /(?:\w*OutputRef)?(\w*SchedulerRole\w*?[0-9A-F]{8})/.exec(
      JSON.stringify(Properties.Roles),
    )?.[1];
    if (role === undefined) continue;
    const sending = Properties.PolicyDocument.Statement.filter(({ Action }) => Action === 'sqs:SendMessage');
    const arns = sending.flatMap(({ Resource }) => [Resource].flat()).map((arn) => JSON.stringify(arn));
    queues[role] = [...new Set([...(queues[role] ?? []), ...arns])].toSorted();
  }
  return queues;
}

const places = {
  'in the stack of the scheduler': {},
  'in other stacks': { stackOf: (app: App, index: number) => new Stack(app, `S${index}`) },
} as const;

const few = [1, 1, 1] as const;
const many = [7, 4, 1] as const;
const [shared, perEndpoint] = [{ roles: 'shared' }, { roles: 'perEndpoint' }] as const;

describe('a schedule that waits may still send', () => {
  type Change = [string, Omit<Deployed, 'endpoints'>, Omit<Deployed, 'endpoints'>, number, number];
  describe.each(Object.entries(places))('when the endpoints stand %s', (place, endpoints) => {
    const changes: readonly Change[] = [
      ['the first endpoint sends to more than fits', { queues: few }, { queues: many }, 1, 4],
      ['a later endpoint sends to more than fits', { queues: few }, { queues: [1, 5, 6] }, 1, 4],
      ['one sends to more than fits, and to less again', { queues: many }, { queues: few }, 4, 1],
      ['one sends to more than fits, and to more still', { queues: many }, { queues: [8, 4, 1] }, 4, 4],
      ['one sends to more', { queues: few }, { queues: [2, 1, 1] }, 1, 1],
      [
        'roles become those of endpoints',
        { queues: few, props: shared },
        { queues: few, props: perEndpoint },
        1,
        4,
      ],
      ['roles become one', { queues: few, props: perEndpoint }, { queues: few, props: shared }, 4, 1],
    ];
    // In other stacks, what differs is whether the role of all is there before and after.
    const isPicked = ([, , , rolesBefore, rolesAfter]: Change) =>
      place === 'in the stack of the scheduler' || rolesBefore !== rolesAfter;
    it.each(cells(changes, isPicked))('after %s', (_change, before, after, rolesBefore, rolesAfter) => {
      const former = deployed({ endpoints, ...before }).app;
      const next = deployed({ endpoints, ...after }).app;
      const [formerPolicies, nextPolicies] = [policiesOf(former), policiesOf(next)];
      const queues = queuesOfRoles(formerPolicies);
      expect(Object.keys(queues)).toHaveLength(rolesBefore);
      expect(Object.keys(queuesOfRoles(nextPolicies))).toHaveLength(rolesAfter);
      const allowed = queuesOfRoles(updated(formerPolicies, nextPolicies));
      for (const [role, arns] of Object.entries(queues)) {
        expect(arns.length).toBeGreaterThan(0);
        expect({ [role]: arns.filter((arn) => !allowed[role]?.includes(arn)) }).toEqual({ [role]: [] });
      }
    });
  });

  it('and its stack can be updated before those that import its role', () => {
    const endpoints = places['in other stacks'];
    const former = outputsOf(deployed({ endpoints, queues: few }).app);
    expect(former).toEqual(expect.arrayContaining([expect.stringMatching(/GetAttSchedulerRole\w+Arn/)]));
    expect(outputsOf(deployed({ endpoints, queues: many }).app)).toEqual(expect.arrayContaining(former));
  });

  it('whatever is declared first: the order of endpoints changes no role', () => {
    const rolesWith = (queues: Deployed['queues']) =>
      Object.keys(queuesOfRoles(policiesOf(deployed({ queues }).app)));
    expect(rolesWith([7, 4, 1])).toEqual(rolesWith([1, 4, 7]));
  });

  it('unless its policies are to be destroyed, which takes a decision', () => {
    const withRoles = (queues: Deployed['queues'], roles?: MessageSchedulerProps['roles']) => {
      const props = { removalPolicy: RemovalPolicy.DESTROY, ...(roles && { roles }) };
      return violationsOf(deployed({ queues, props }).stack);
    };
    expect(withRoles(few)).toBe('');
    expect(withRoles(many, 'perEndpoint')).toBe('');
    expect(withRoles(many)).toMatch(
      /Scheduler\] roles: the policies of the role would take \d+ characters.*RemovalPolicy.DESTROY deletes them/,
    );
    expect(withRoles(many, 'shared')).toContain('Use RemovalPolicy.RETAIN, or use');
  });
});
