import { Annotations } from 'aws-cdk-lib';
import { CfnFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { defined } from '../../core/defined.ts';
import { endpointDefaults } from './endpoint-settings.ts';
import { handlerFunction } from './handler-function.ts';
import type { MessageEndpointProps } from './message-endpoint-props.ts';

/** The function of an endpoint: the given one, or one that is bundled for it. */
export function endpointFunction(endpoint: Construct, props: MessageEndpointProps): LambdaFunction {
  if (props.function !== undefined) {
    warnOfLoopDetection(endpoint, props.function);
    return props.function;
  }
  return handlerFunction(endpoint, 'Function', {
    entry: props.entry,
    timeout: props.functionTimeout ?? endpointDefaults.functionTimeout,
    memorySizeMb: props.memorySizeMb ?? endpointDefaults.memorySizeMb,
    architecture: props.architecture ?? endpointDefaults.architecture,
    bundling: props.bundling ?? {},
    recursiveLoop: props.recursiveLoop ?? endpointDefaults.recursiveLoop,
  });
}

/**
 * Lets the function handle the messages of the queue, in batches of which each message succeeds or fails by
 * itself.
 */
export function consumeQueue(handler: LambdaFunction, queue: Queue, props: MessageEndpointProps): void {
  handler.addEventSource(
    new SqsEventSource(queue, {
      batchSize: props.batchSize ?? endpointDefaults.batchSize,
      reportBatchItemFailures: true,
      ...defined({ maxConcurrency: props.maxConcurrency }),
    }),
  );
}

/** Source: "Use Lambda recursive loop detection to prevent infinite loops". */
function warnOfLoopDetection(endpoint: Construct, handler: LambdaFunction): void {
  const resource = handler.node.defaultChild;
  if (!(resource instanceof CfnFunction) || resource.recursiveLoop !== undefined) return;
  Annotations.of(endpoint).addWarningV2(
    'sagabox:recursiveLoop',
    "function: Lambda's recursive loop detection ends a chain of more than about 16 messages, of which each is sent while " +
      'the one before is handled: the next goes to the dead letter queue, and the handler never sees it. Give the function ' +
      'recursiveLoop: RecursiveLoop.ALLOW, or RecursiveLoop.TERMINATE when no chain of messages is that long.',
  );
}
