import { Annotations, Aspects, Resource, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { AnyTopic } from '../construct-types.ts';
import { sendKeyActions } from '../destinations/queue-access.ts';
import { isElsewhere } from '../destinations/regions.ts';

const CLOUDWATCH = 'cloudwatch.amazonaws.com';

/** The accounts whose alarms may notify a topic already. */
const allowedAccounts = new WeakMap<AnyTopic, Set<string>>();

/**
 * Lets the alarms of an account notify a topic of the app, and use its key. An imported topic keeps its policy.
 * The statements name the account and no alarm: the alarms name the topic, perhaps from another stack.
 * Source: "Example cases for Amazon SNS access control" (CloudWatch alarms), "Amazon SNS key management".
 */
export function allowAlarms(alarm: Construct, topic: AnyTopic): void {
  if (!Resource.isOwnedResource(topic)) return;
  const { account } = Stack.of(alarm);
  const isForeign = isElsewhere(topic.env.account, account);
  const sourceAccount = isForeign ? account : Stack.of(topic).account;
  const allowed = allowedAccounts.get(topic) ?? new Set();
  if (allowed.has(sourceAccount)) return;
  allowedAccounts.set(topic, allowed.add(sourceAccount));
  const statement = (actions: readonly string[], resource: string) =>
    new PolicyStatement({
      principals: [new ServicePrincipal(CLOUDWATCH)],
      actions: [...actions],
      resources: [resource],
      conditions: { StringEquals: { 'aws:SourceAccount': sourceAccount } },
    });
  const toPublish = () => topic.addToResourcePolicy(statement(['sns:Publish'], topic.topicArn));
  if (isForeign) toPublish();
  // The policy that SNS gives a topic without one lets all its account publish: it is not to be replaced. Whether
  // the topic has one is known when all that adds to it is there.
  else Aspects.of(topic).add({ visit: (node) => void (node === topic && hasPolicy(topic) && toPublish()) });
  allowKey(topic, statement(sendKeyActions, '*'));
}

/** Of its own, which CDK makes below it. */
function hasPolicy({ node }: AnyTopic): boolean {
  return node.tryFindChild('Policy') !== undefined;
}

function allowKey({ masterKey: key, node }: AnyTopic, statement: PolicyStatement): void {
  if (key === undefined || key.addToResourcePolicy(statement).statementAdded) return;
  Annotations.of(key).addWarningV2(
    `sagabox:topicKey:${node.path}`,
    `topic: the key '${key.node.path}' of '${node.path}' is imported, so that its policy stays as it is. Let it allow ` +
      `${CLOUDWATCH} ${sendKeyActions.join(' and ')}: without that, alarms notify nobody. A key of AWS, such as ` +
      'alias/aws/sns, cannot allow it.',
  );
}
