import { Resource, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { holderOf } from '../grantees.ts';
import { elsewhereProblem, isInPlaceOf } from '../places.ts';
import { reportKeyClosedToAccount } from './managed-keys.ts';
import { queueReference } from './queue-reference.ts';
import { canName, reachable } from './reachable.ts';

export const sendActions = ['sqs:SendMessage'] as const;
/** With the key of an encrypted queue. */
export const sendKeyActions = ['kms:Decrypt', 'kms:GenerateDataKey'] as const;

/** Allows to send to this queue. `grantSendMessages` of the queue would also allow to read its attributes. */
export function grantSend(queue: IQueue, grantee: IGrantable): Grant {
  const { principalAccount } = grantee.grantPrincipal;
  if (principalAccount !== undefined) reportKeyClosedToAccount(queue, queue, principalAccount);
  queue.encryptionMasterKey?.grant(grantee, ...sendKeyActions);
  return queue.grant(grantee, ...sendActions);
}

/** Where both are, if the policy of the grantee and that of the queue cannot name each other. */
export function senderProblem(queue: IQueue, grantee: IGrantable): string | undefined {
  const holder = holderOf(grantee);
  if (holder === undefined || isInPlaceOf(holder, queue)) return undefined;
  const { encryptionMasterKey: key } = queue;
  const { principalJson } = grantee.grantPrincipal.policyFragment;
  const named = [queue.queueArn, ...(key === undefined ? [] : [key.keyArn])];
  const principals = Resource.isOwnedResource(queue) ? Object.values(principalJson).flat() : [];
  const isNameable =
    named.every((arn) => canName(Stack.of(holder), queue, arn)) &&
    principals.every((arn) => canName(Stack.of(queue), holder, arn));
  return isNameable ? undefined : elsewhereProblem(holder, queue);
}

/** Allows to send to the queue, which may belong to another stack than the scope. */
export function grantSendTo(scope: IConstruct, queue: IQueue, grantee: IGrantable): Grant {
  grantKey(queue.encryptionMasterKey, sendKeyActions, grantee);
  const { queueArn } = queueReference(scope, queue);
  return Grant.addToPrincipal({ grantee, actions: [...sendActions], resourceArns: [queueArn] });
}

/**
 * Allows to use a key, if there is one. The policy of a key of the app trusts its account; that of another
 * account allows it by `allowFromOtherAccount`. `grant` of the key would name the role there, which that
 * account cannot refer to.
 */
export function grantKey(key: IKey | undefined, actions: readonly string[], grantee: IGrantable): void {
  if (key === undefined) return;
  const resourceArns = [reachable(key, key.keyArn)];
  Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns });
}
