import { Stack, Token } from 'aws-cdk-lib';
import { type CfnQueue, type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { reachable } from './reachable.ts';

/** How a construct refers to a queue. */
export interface QueueReference {
  readonly queueArn: string;
  readonly queueUrl: string;
  readonly queueName: string;
}

/**
 * A queue of another stack that has a physical name is referred to by what the name tells, so that neither
 * stack depends on the other one; any other queue by the references of CDK,
 * as far as these can be made.
 */
export function queueReference(scope: IConstruct, queue: IQueue): QueueReference {
  const queueName = Stack.of(queue) === Stack.of(scope) ? undefined : physicalNameOf(queue);
  if (queueName === undefined) {
    return {
      // What is granted here may be granted to a function of another stack, as that of a relay.
      queueArn: reachable(queue, queue.queueArn, 'arn'),
      queueUrl: reachable(queue, queue.queueUrl),
      queueName: reachable(queue, queue.queueName, 'name'),
    };
  }
  const { account, region, urlSuffix } = Stack.of(queue);
  return {
    queueArn: Stack.of(queue).formatArn({ service: 'sqs', resource: queueName }),
    queueUrl: `https://sqs.${region}.${urlSuffix}/${account}/${queueName}`,
    queueName,
  };
}

/** The name that the template of a queue says; `undefined` when CloudFormation makes one up. */
export function physicalNameOf(queue: IQueue): string | undefined {
  if (!(queue instanceof Queue)) return undefined;
  const { queueName } = queue.node.defaultChild as CfnQueue;
  return queueName === undefined || Token.isUnresolved(queueName) ? undefined : queueName;
}
