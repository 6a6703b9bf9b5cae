import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

export const sendActions = ['sqs:SendMessage'] as const;
/** With the key of an encrypted queue. */
export const sendKeyActions = ['kms:Decrypt', 'kms:GenerateDataKey'] as const;

/** Allows to send to this queue. `grantSendMessages` of the queue would also allow to read its attributes. */
export function grantSend(queue: IQueue, grantee: IGrantable): Grant {
  queue.encryptionMasterKey?.grant(grantee, ...sendKeyActions);
  return queue.grant(grantee, ...sendActions);
}
