import { Stack } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Refusal } from '../../kernel/checks/problems.ts';
import { allowFromOtherAccount } from '../destinations/other-account.ts';
import { grantSendTo } from '../destinations/queue-access.ts';
import { canName } from '../destinations/reachable.ts';
import { isElsewhere } from '../destinations/regions.ts';
import { reportUnreachableTarget } from '../destinations/ways-out.ts';
import { elsewhereProblem } from '../places.ts';
import type { Violations } from '../violations.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';

/** Without an error queue that the function could not send to, nor an alarm of this stack watch. */
export function withUsableErrorQueue(
  endpoint: Construct,
  settings: EndpointSettings,
  violations: Violations,
): EndpointSettings {
  const { errorQueue, ...others } = settings;
  const found = errorQueue ? placeProblem(endpoint, errorQueue) : undefined;
  if (found === undefined) return settings;
  violations.add('errorQueue', found.problem, found.remedy);
  return others;
}

function placeProblem(endpoint: Construct, errorQueue: IQueue): Refusal | undefined {
  const { env, node, queueArn } = errorQueue;
  if (isElsewhere(env.region, Stack.of(endpoint).region)) {
    return {
      problem: `'${node.path}' is in another region than the function, which calls the services of its own`,
      remedy: 'Use a queue of the same region',
    };
  }
  if (canName(Stack.of(endpoint), errorQueue, queueArn)) return undefined;
  return {
    problem: `${elsewhereProblem(endpoint, errorQueue)}, which cannot refer to it without a name`,
    remedy: 'Give the queue a queueName',
  };
}

/** Lets the function of an endpoint send to its error queue, which may belong to another stack or account. */
export function sendErrorsTo(endpoint: Construct, errorQueue: IQueue | undefined, handler: IGrantable): void {
  if (errorQueue === undefined) return;
  grantSendTo(endpoint, errorQueue, handler);
  allowFromOtherAccount(endpoint, errorQueue);
  reportUnreachableTarget(endpoint, errorQueue, 'errorQueue');
}
