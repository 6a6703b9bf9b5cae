import { CfnResource, Duration, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Grant, type IGrantable, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { defined } from '../../core/defined.ts';
import { grantSend } from '../destinations/queue-access.ts';
import { failureQueue } from '../endpoint/endpoint-queue.ts';

const SCHEDULER_SERVICE = 'scheduler.amazonaws.com';
const deadLetterRetention = Duration.days(14);

export interface MessageSchedulerProps {
  /**
   * The physical name of the schedule group. One that was retained by an earlier deployment has its name
   * still: delete it first, or use another.
   *
   * @default - CloudFormation makes one up
   */
  readonly groupName?: string;

  /** @default - a key of SQS */
  readonly encryptionKey?: IKey;

  /**
   * What happens, when the scheduler leaves the stack or is replaced, to the schedule group with its pending
   * schedules, and to the role, its policies and the dead letter queue that these send with. With
   * `RemovalPolicy.DESTROY` the messages of the pending schedules are never sent.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
}

/**
 * Keeps the messages that wait longer than the 15 minutes of SQS: a schedule group of EventBridge Scheduler,
 * and the role that its schedules send with, to the queues of the endpoints that use it and to none else.
 * Several endpoints may share one. What a schedule cannot send, as to a queue that is gone, waits in a dead
 * letter queue for 14 days.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { MessageEndpoint, MessageScheduler } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const scheduler = new MessageScheduler(stack, 'Scheduler');
 * new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts', scheduler });
 * new MessageEndpoint(stack, 'Billing', { entry: 'lambdas/billing.ts', scheduler });
 * ```
 */
export class MessageScheduler extends Construct {
  readonly group: CfnScheduleGroup;
  /** What the schedules send with. */
  readonly role: Role;
  /** Takes the messages that a schedule could not send. */
  readonly deadLetterQueue: Queue;
  readonly removalPolicy: RemovalPolicy;

  constructor(scope: Construct, id: string, props: MessageSchedulerProps = {}) {
    super(scope, id);
    this.removalPolicy = props.removalPolicy ?? RemovalPolicy.RETAIN;
    this.group = new CfnScheduleGroup(this, 'Group', defined({ name: props.groupName }));
    // Only schedules of this group: the service also serves others, who could name this role.
    const conditions = {
      StringEquals: { 'aws:SourceAccount': Stack.of(this).account },
      ArnEquals: { 'aws:SourceArn': this.group.attrArn },
    };
    this.role = new Role(this, roleId(props), {
      assumedBy: new ServicePrincipal(SCHEDULER_SERVICE, { conditions }),
    });
    this.deadLetterQueue = failureQueue(this, 'DeadLetterQueue', {
      fifo: false,
      encryptionKey: props.encryptionKey,
      retention: deadLetterRetention,
    });
    grantSend(this.deadLetterQueue, this.role);
    for (const resource of this.node.findAll()) {
      if (CfnResource.isCfnResource(resource)) resource.applyRemovalPolicy(this.removalPolicy);
    }
  }

  get groupName(): string {
    return this.group.ref;
  }

  /** The messages that schedules could not send, and that wait in the dead letter queue. */
  metricDeadLetters(options?: MetricOptions): Metric {
    return this.deadLetterQueue.metricApproximateNumberOfMessagesVisible(options);
  }

  /** Allows to make and cancel schedules of the group; `MessageEndpoint` does it for its function. */
  grantSchedule(grantee: IGrantable): Grant {
    const schedules = Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `${this.groupName}/*`,
    });
    // The reads tell a schedule that is there from one whose group is being deleted.
    const calls = ['CreateSchedule', 'DeleteSchedule', 'GetSchedule', 'GetScheduleGroup'];
    const make = Grant.addToPrincipal({
      grantee,
      actions: calls.map((call) => `scheduler:${call}`),
      resourceArns: [schedules, this.group.attrArn],
    });
    const passRole = Grant.addToPrincipal({
      grantee,
      actions: ['iam:PassRole'],
      resourceArns: [this.role.roleArn],
      conditions: { StringEquals: { 'iam:PassedToService': SCHEDULER_SERVICE } },
    });
    return make.combine(passRole);
  }
}

/**
 * A group of another name gets a role of its own: the schedules that wait in the former one could not send
 * with it.
 */
function roleId({ groupName }: MessageSchedulerProps): string {
  return groupName === undefined || Token.isUnresolved(groupName) ? 'Role' : `Role-${groupName}`;
}
