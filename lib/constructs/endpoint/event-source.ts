import { EventSourceMapping, type IFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { defined } from '../../kernel/defined.ts';
import type { AnyFunction } from '../construct-types.ts';
import { grantKey } from '../destinations/queue-access.ts';
import { endpointDefaults } from './endpoint-rows.ts';
import { checkFunctionRole } from './function-role.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { eventSourceId } from './rendered-settings.ts';

const consumeActions = [
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:ChangeMessageVisibility',
  'sqs:GetQueueAttributes',
] as const;

/**
 * Lets the function handle the messages of the queue, in batches of which each message succeeds or fails by
 * itself. Its logical id does not follow the path of the stack, as that of CDK's own event source does: Lambda
 * refuses a second mapping of one queue and one function, which is made before the first is deleted.
 *
 * @returns the mapping's UUID
 * @param target the function, or an alias or version of it
 */
export function consumeQueue(
  scope: Construct,
  queue: IQueue,
  handler: LambdaFunction,
  target: AnyFunction,
  settings: EndpointSettings,
): string {
  grantKey(queue.encryptionMasterKey, ['kms:Decrypt'], handler);
  const grant = queue.grant(handler, ...consumeActions);
  checkFunctionRole(scope, handler);
  const mapping = new EventSourceMapping(scope, eventSourceId, {
    target: target as IFunction,
    eventSourceArn: queue.queueArn,
    batchSize: settings.batchSize ?? endpointDefaults.batchSize,
    reportBatchItemFailures: true,
    ...defined({
      enabled: settings.enabled,
      maxConcurrency: settings.maxConcurrency,
      maxBatchingWindow: settings.maxBatchingWindow,
    }),
  });
  grant.applyBefore(mapping);
  return mapping.eventSourceMappingId;
}
