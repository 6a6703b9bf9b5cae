import { Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Construct, IConstruct } from 'constructs';
import { grantKey } from '../destinations/queue-access.ts';
import { reachable } from '../destinations/reachable.ts';
import { acknowledgeWildcard } from '../nag-suppressions.ts';

const SCHEDULER_SERVICE = 'scheduler.amazonaws.com';

interface Scheduler extends IConstruct {
  readonly group: CfnScheduleGroup;
  readonly scheduleKey: IKey | undefined;
}

/** A role that the schedules of a group can send with. */
export function schedulerRole(scope: Construct, id: string, scheduler: Scheduler): Role {
  const { group } = scheduler;
  // Only schedules of this group: the service also serves others, who could name this role.
  const conditions = {
    StringEquals: { 'aws:SourceAccount': Stack.of(group).account },
    ArnEquals: { 'aws:SourceArn': reachable(scheduler, group.attrArn) },
  };
  return new Role(scope, id, { assumedBy: new ServicePrincipal(SCHEDULER_SERVICE, { conditions }) });
}

/**
 * Allows to make and cancel schedules of a group that send with the role. With a key of one's own also what
 * encrypts them. Source: "Encryption at rest in EventBridge Scheduler".
 */
export function grantScheduling(scheduler: Scheduler, roleArn: string, grantee: IGrantable): Grant {
  const { group, scheduleKey } = scheduler;
  const schedules = Stack.of(scheduler).formatArn({
    service: 'scheduler',
    resource: 'schedule',
    resourceName: `${reachable(scheduler, group.ref)}/*`,
  });
  acknowledgeWildcard(grantee, schedules, 'Each delayed message is a schedule of its own in the group.');
  // The reads tell a schedule that is there from one whose group is being deleted.
  const calls = ['CreateSchedule', 'DeleteSchedule', 'GetSchedule', 'GetScheduleGroup'];
  const make = Grant.addToPrincipal({
    grantee,
    actions: calls.map((call) => `scheduler:${call}`),
    resourceArns: [schedules, reachable(scheduler, group.attrArn)],
  });
  const passRole = Grant.addToPrincipal({
    grantee,
    actions: ['iam:PassRole'],
    resourceArns: [roleArn],
    conditions: { StringEquals: { 'iam:PassedToService': SCHEDULER_SERVICE } },
  });
  grantKey(scheduleKey, ['kms:DescribeKey', 'kms:GenerateDataKey', 'kms:Decrypt'], grantee);
  return make.combine(passRole);
}
