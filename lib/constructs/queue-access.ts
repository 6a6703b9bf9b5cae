import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

/** Allows to send to this queue. `grantSendMessages` of the queue would also allow to read its attributes. */
export function grantSend(queue: IQueue, grantee: IGrantable): Grant {
  queue.encryptionMasterKey?.grant(grantee, 'kms:Decrypt', 'kms:GenerateDataKey');
  return queue.grant(grantee, 'sqs:SendMessage');
}
