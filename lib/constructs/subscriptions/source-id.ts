import { Resource, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { isTopic } from '../destinations/destination-target.ts';
import { outermostStack } from '../destinations/stack-graph.ts';
import type { MessageSource } from './subscribed-queue.ts';

/**
 * The construct id of what brings the messages of a source: from the source's path below its stack, so that
 * a Stage above and a renamed stack change no logical id. A source of another stack has the name of that
 * stack in it, since two of them may have the same path.
 *
 * An imported topic has its ARN, as far as that is known: with another logical id, CloudFormation would make
 * the subscription that there is once more, and then delete it.
 */
export function sourceId(scope: Construct, source: MessageSource): string {
  if (isTopic(source) && !Resource.isOwnedResource(source) && !Token.isUnresolved(source.topicArn))
    return `From${source.topicArn}`;
  const stack = outermostStack(Stack.of(source));
  const path = source.node.path.slice(stack.node.path.length).replace(/^\//, '');
  const isSameStack = stack === outermostStack(Stack.of(scope));
  const named = isSameStack ? path : `${stack.stackName}/${path}`;
  return `From${named.replaceAll('/', '.')}`;
}
