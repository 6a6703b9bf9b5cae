import { Annotations, Stack, Token } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type IQueue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { sendKeyActions } from './queue-access.ts';

/** With a key of SQS, unless one is given. */
export function encryptionProps(encryptionKey: IKey | undefined): Partial<QueueProps> {
  return encryptionKey === undefined
    ? { encryption: QueueEncryption.SQS_MANAGED }
    : { encryption: QueueEncryption.KMS, encryptionMasterKey: encryptionKey };
}

/**
 * Lets a service that delivers to a queue use its key, for the account of the queue, and for that of the
 * source. A key policy that named the topic or the rule could not be deployed: these name the queue, and the
 * queue its key; and a key of another stack would make the stacks depend on each other.
 *
 * @param sourceAccount the account of what the service delivers
 */
export function allowKeyTo(service: string, queue: IQueue, sourceAccount?: string): void {
  const { account } = Stack.of(queue);
  const isOther =
    sourceAccount !== undefined && !Token.isUnresolved(sourceAccount) && sourceAccount !== account;
  const statement = new PolicyStatement({
    principals: [new ServicePrincipal(service)],
    actions: [...sendKeyActions],
    resources: ['*'],
    conditions: { StringEquals: { 'aws:SourceAccount': isOther ? [account, sourceAccount] : account } },
  });
  addToKeyPolicy(queue.encryptionMasterKey, statement, {
    principal: service,
    otherwise: 'nothing is delivered, and nothing comes to the dead letter queue',
  });
}

interface KeyUser {
  /** Whom the statement allows, in words. */
  readonly principal: string;
  /** What follows if the policy does not allow it. */
  readonly otherwise: string;
  /** @default principal */
  readonly id?: string;
}

/**
 * Allows the use of a key, or warns that the policy of an imported one stays as it is: a service or another account that
 * it does not name cannot use it.
 */
export function addToKeyPolicy(
  key: IKey | undefined,
  statement: PolicyStatement,
  { principal, otherwise, id = principal }: KeyUser,
): void {
  if (key === undefined || key.addToResourcePolicy(statement).statementAdded) return;
  // Once, though queues share it.
  Annotations.of(key).addWarningV2(
    `sagabox:encryptionKey:${id}`,
    `encryptionKey: '${key.node.path}' is imported, so that its policy stays as it is. Let it allow ${principal} ` +
      `${statement.actions.join(' and ')}: without that, ${otherwise}.`,
  );
}
