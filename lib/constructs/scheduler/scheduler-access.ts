import { Aspects, Lazy, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  type CfnPolicy,
  type Grant,
  type IGrantable,
  Policy,
  PolicyDocument,
  PolicyStatement,
  type Role,
} from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct, IConstruct } from 'constructs';
import type { NamedScheduler } from '../../settings/sending.ts';
import { sendActions, sendKeyActions } from '../destinations/queue-access.ts';
import { queueReference } from '../destinations/queue-reference.ts';
import { reachable } from '../destinations/reachable.ts';
import { outermostStack } from '../destinations/stack-graph.ts';
import { policyBytes } from '../limits/rendered-size.ts';
import { nameBelowStack } from '../path-below-stack.ts';
import type { MessageScheduler } from './message-scheduler.ts';
import { grantScheduling, schedulerRole } from './scheduler-role.ts';

/** Of all inline policies of a role together, without white space. Source: "IAM and AWS STS quotas". */
const MAX_ROLE_POLICY_BYTES = 10_240;

/** Those who send by a scheduler, in the order in which they were declared. */
const sendersOf = new WeakMap<MessageScheduler, ScheduledSends[]>();

/**
 * What the schedules of one endpoint may send to. All endpoints send with the role of the scheduler, which
 * holds exact ARNs as long as these fit into the inline policies of a role. From then on each endpoint has a
 * role of its own: which endpoints share a role never depends on their order or size.
 *
 * Schedules that wait keep the role that they were made with. So the policies of that role only leave the
 * stack, which retains them, and no policy passes from one role to another.
 */
export class ScheduledSends {
  readonly endpoint: Construct;
  readonly #scheduler: MessageScheduler;
  readonly #queues: IQueue[] = [];
  #ownRole: Role | undefined;
  #isAssigned = false;

  constructor(endpoint: Construct, scheduler: MessageScheduler) {
    this.endpoint = endpoint;
    this.#scheduler = scheduler;
    const senders = sendersOf.get(scheduler) ?? [];
    if (senders.length === 0) scheduler.node.addValidation({ validate: () => rolesProblem(scheduler) });
    sendersOf.set(scheduler, [...senders, this]);
    // By then all endpoints and their destinations are known, and a role is a resource as any other.
    Aspects.of(endpoint).add({ visit: (node) => void (node === endpoint && this.#assignRole()) });
  }

  allow(queue: IQueue): void {
    this.#queues.push(queue);
  }

  /** What schedules of the endpoint send with; known at synth. */
  get role(): Role {
    return this.#ownRole ?? this.#scheduler.role;
  }

  get #roleOwner(): Construct {
    return this.#ownRole === undefined ? this.#scheduler : this.endpoint;
  }

  get isInStackOfScheduler(): boolean {
    return Stack.of(this.endpoint) === Stack.of(this.#scheduler);
  }

  /** Allows to make and cancel schedules of the group. */
  grantSchedule(grantee: IGrantable): Grant {
    const roleArn = Lazy.uncachedString({ produce: () => reachable(this.#roleOwner, this.role.roleArn) });
    return grantScheduling(this.#scheduler, roleArn, grantee);
  }

  /** The scheduler as a function is told of it. */
  setting(): NamedScheduler {
    const scheduler = this.#scheduler;
    const { groupName, deadLetterQueue, scheduleKey } = scheduler;
    return {
      groupName: reachable(scheduler, groupName),
      roleName: Lazy.uncachedString({ produce: () => reachable(this.#roleOwner, this.role.roleName) }),
      deadLetterQueueName: reachable(scheduler, deadLetterQueue.queueName),
      ...(scheduleKey && { kmsKeyArn: reachable(scheduleKey, scheduleKey.keyArn) }),
    };
  }

  /** One for all queues, and one for their keys. */
  statements(of: readonly ScheduledSends[] = [this]): PolicyStatement[] {
    const queues = of.flatMap((sends) => sends.#queues.map((queue) => ({ queue, scope: sends.endpoint })));
    const arns = queues.map(({ queue, scope }) => queueReference(scope, queue).queueArn);
    const keys = queues.flatMap(({ queue: { encryptionMasterKey: key } }) =>
      key === undefined ? [] : reachable(key, key.keyArn),
    );
    return [
      { actions: [...sendActions], resources: [...new Set(arns)] },
      { actions: [...sendKeyActions], resources: [...new Set(keys)] },
    ].flatMap((statement) => (statement.resources.length === 0 ? [] : new PolicyStatement(statement)));
  }

  #assignRole(): void {
    if (this.#isAssigned) return;
    this.#isAssigned = true;
    const scheduler = this.#scheduler;
    if (!hasSharedRole(scheduler)) {
      const name = roleName(this.endpoint, scheduler);
      this.#ownRole = schedulerRole(this.endpoint, `SchedulerRole${name}`, scheduler);
      const statements = [...scheduler.ownStatements(), ...this.statements()];
      this.#addPolicy(`SchedulerRolePolicy${name}`, this.#ownRole, statements);
      this.#ownRole.applyRemovalPolicy(scheduler.removalPolicy);
      keepExports(scheduler, this.endpoint);
    } else if (!this.isInStackOfScheduler) {
      // In the stack of the scheduler, the policy would make the stacks depend on each other.
      const id = `SchedulerPolicy${roleName(this.endpoint, scheduler)}`;
      this.#addPolicy(id, scheduler.role, this.statements());
    } else {
      const sharing = sendersInStackOf(scheduler);
      // The first of them sees to it for all.
      if (sharing[0] !== this) return;
      const statements = this.statements(sharing);
      // Endpoints that only send may have no queue among their destinations.
      if (statements.length > 0) scheduler.addSendPolicy(statements);
    }
  }

  /**
   * @param id names the role: a policy that passed to another one would be taken from the schedules that wait
   *   with the former
   */
  #addPolicy(id: string, role: Role, statements: PolicyStatement[]): void {
    if (statements.length === 0) return;
    const policy = new Policy(this.endpoint, id, { roles: [role], statements });
    // For the reference of the policy's own, CDK would throw when it makes stacks depend on each other.
    (policy.node.defaultChild as CfnPolicy).roles = [reachable(this.#roleOwner, role.roleName)];
    policy.applyRemovalPolicy(this.#scheduler.removalPolicy);
  }
}

const shared = new WeakMap<MessageScheduler, boolean>();

/** Whether all endpoints send with the role of the scheduler. Read once all destinations are known. */
function hasSharedRole(scheduler: MessageScheduler): boolean {
  const { roles } = scheduler;
  if (roles !== undefined) return roles === 'shared';
  const isShared = shared.get(scheduler) ?? sharedRoleBytes(scheduler) <= MAX_ROLE_POLICY_BYTES;
  shared.set(scheduler, isShared);
  return isShared;
}

function sendersInStackOf(scheduler: MessageScheduler): readonly ScheduledSends[] {
  return (sendersOf.get(scheduler) ?? []).filter(({ isInStackOfScheduler }) => isInStackOfScheduler);
}

/** The bytes of all policies that the role of a scheduler gets, when all endpoints send with it. */
function sharedRoleBytes(scheduler: MessageScheduler): number {
  const senders = sendersOf.get(scheduler) ?? [];
  const merged = senders[0]?.statements(sendersInStackOf(scheduler)) ?? [];
  const others = senders.filter((each) => !each.isInStackOfScheduler);
  return others.reduce(
    (bytes, each) => bytes + statementBytes(each.endpoint, each.statements()),
    statementBytes(scheduler, scheduler.ownStatements()) + statementBytes(scheduler, merged),
  );
}

/** @param scope whose stack has the policy */
function statementBytes(scope: IConstruct, statements: PolicyStatement[]): number {
  if (statements.length === 0) return 0;
  return policyBytes(scope, new PolicyDocument({ statements }).toJSON());
}

/** @returns what is wrong when all endpoints would have to send with one role */
function rolesProblem(scheduler: MessageScheduler): string[] {
  const { roles, removalPolicy } = scheduler;
  const isRetained = removalPolicy !== RemovalPolicy.DESTROY;
  if (roles === 'perEndpoint' || (roles === undefined && isRetained)) return [];
  const bytes = sharedRoleBytes(scheduler);
  if (bytes <= MAX_ROLE_POLICY_BYTES) return [];
  const size = `the policies of the role would take ${bytes} characters, over the ${MAX_ROLE_POLICY_BYTES} of IAM`;
  const perEndpoint = "use 'perEndpoint', with which schedules that wait are not sent";
  if (roles === undefined) {
    return [
      `roles: ${size}, and RemovalPolicy.DESTROY deletes them as soon as the endpoints have roles of their own. ` +
        `Deploy RemovalPolicy.RETAIN before the change that exceeds them, or ${perEndpoint}.`,
    ];
  }
  const remedy = isRetained
    ? "Leave it out, or use 'perEndpoint'"
    : `Use RemovalPolicy.RETAIN, or ${perEndpoint}`;
  return [`roles: it is 'shared', and ${size}. ${remedy}.`];
}

/**
 * Stacks of endpoints that have sent with the role of the scheduler import it. CloudFormation refuses to
 * remove an export before its last import, and the scheduler's stack is deployed first.
 */
function keepExports(scheduler: MessageScheduler, endpoint: Construct): void {
  const stack = Stack.of(scheduler);
  if (stack.nestedStackParent !== undefined || outermostStack(Stack.of(endpoint)) === stack) return;
  for (const value of [scheduler.role.roleArn, scheduler.role.roleName]) stack.exportValue(value);
}

/** Of a role of another stack with the name of that. */
function roleName(endpoint: Construct, { role }: MessageScheduler): string {
  const stack = Stack.of(role);
  const name = nameBelowStack(role);
  return stack === Stack.of(endpoint) ? name : `${stack.node.id}-${name}`;
}
