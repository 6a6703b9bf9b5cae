import { Annotations, Resource, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { sendKeyActions } from './queue-access.ts';

/** With a key of SQS, unless one is given. */
export function encryptionProps(encryptionKey: IKey | undefined): Partial<QueueProps> {
  return encryptionKey === undefined
    ? { encryption: QueueEncryption.SQS_MANAGED }
    : { encryption: QueueEncryption.KMS, encryptionMasterKey: encryptionKey };
}

/**
 * Lets EventBridge use the key of a queue. For the whole account: the rule names the queue, and the queue its
 * key, so that a key whose policy names the rule could not be deployed.
 */
export function allowKeyToEventBridge(queue: Queue): void {
  queue.encryptionMasterKey?.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: [...sendKeyActions],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(queue).account } },
    }),
  );
}

/** The policy of an imported key stays as it is, and a service that it does not name delivers nothing. */
export function warnOfImportedKey(queue: Queue, service: string): void {
  const { encryptionMasterKey: key } = queue;
  if (key === undefined || Resource.isOwnedResource(key)) return;
  Annotations.of(queue).addWarningV2(
    `sagabox:encryptionKey:${service}`,
    `encryptionKey: '${key.node.path}' is imported, so that its policy stays as it is. Let it allow ${service} ` +
      `${sendKeyActions.join(' and ')}: without that, nothing is delivered, and nothing comes to the dead letter queue.`,
  );
}
