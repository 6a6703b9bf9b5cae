import { Names, Stack } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { sendActions, sendKeyActions } from '../destinations/queue-access.ts';
import type { MessageScheduler } from './message-scheduler.ts';

/** What the schedules of one endpoint may send to, as a policy of the scheduler's role. */
export class ScheduledSends {
  readonly #policy: Policy;

  /**
   * The policy belongs to the endpoint: in the stack of a shared scheduler it would make the stacks depend on
   * each other. It is named after the role: one that passed to another role would be taken from the schedules
   * that wait with the former.
   */
  constructor(endpoint: Construct, { role, removalPolicy }: MessageScheduler) {
    this.#policy = new Policy(endpoint, `SchedulerPolicy${Names.nodeUniqueId(role.node)}`, { roles: [role] });
    this.#policy.applyRemovalPolicy(removalPolicy);
  }

  allow(queue: IQueue): void {
    const send = { actions: [...sendActions], resources: [queue.queueArn] };
    this.#policy.addStatements(new PolicyStatement(send));
    const key = queue.encryptionMasterKey;
    if (key === undefined) return;
    const useKey = { actions: [...sendKeyActions], resources: [key.keyArn] };
    this.#policy.addStatements(new PolicyStatement(useKey));
  }
}

/** In the environment of a function, for the runtime. */
export function schedulerJson({ group, role, deadLetterQueue }: MessageScheduler): string {
  return Stack.of(group).toJsonString({
    groupName: group.ref,
    roleArn: role.roleArn,
    deadLetterArn: deadLetterQueue.queueArn,
  });
}
