import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { type IQueue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { isKnown } from '../is-known.ts';
import { renderedProperties } from '../rendered-properties.ts';
import { isElsewhere } from './regions.ts';

/** What may have a key of AWS; an event bus may not. */
type Encrypted = IQueue | ITopic;

/**
 * Whether a queue or a topic has the key of AWS for its service, whose policy lets neither a service nor another account
 * use it. Judged by the template, as an override may have set the key. Sources: "AWS::SQS::Queue", "AWS::SNS::Topic"
 * (KmsMasterKeyId), "Amazon SQS Key management" (Configure KMS permissions for AWS services).
 */
export function hasManagedKey(target: Encrypted): boolean {
  const rendered = renderedProperties(target, 'queueArn' in target ? target.queueArn : target.topicArn);
  if (rendered === undefined)
    return 'queueArn' in target && target.encryptionType === QueueEncryption.KMS_MANAGED;
  // By its name, its ARN or a reference to it.
  return /[:"]alias\/aws\//.test(JSON.stringify(rendered.KmsMasterKeyId ?? ''));
}

/** The accounts of which it would be told. */
const reportedAccounts = new WeakMap<Encrypted, Set<string>>();

/**
 * Reports at synth that a sender of another account cannot send, as the key lets no other account use it.
 *
 * @param holder a construct of the app that tells of it
 * @param account of the sender
 */
export function reportKeyClosedToAccount(holder: IConstruct, target: Encrypted, account: string): void {
  if (!isKnown(account) || !isElsewhere(target.env.account, account)) return;
  const accounts = reportedAccounts.get(target) ?? new Set();
  if (accounts.has(account)) return;
  reportedAccounts.set(target, accounts.add(account));
  const remedy =
    'queueArn' in target
      ? 'Use QueueEncryption.KMS with a key of yours, or QueueEncryption.SQS_MANAGED'
      : 'Give the topic a masterKey of yours, or none';
  const problem =
    `encryption: '${target.node.path}' has a key of AWS, whose policy lets no other account use it, so that account ` +
    `${account} sends nothing to it. ${remedy}.`;
  holder.node.addValidation({ validate: () => (hasManagedKey(target) ? [problem] : []) });
}
