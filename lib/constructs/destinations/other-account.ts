import { Annotations, Resource, Stack } from 'aws-cdk-lib';
import { AccountPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { isKnown } from '../is-known.ts';
import { elsewhereProblem } from '../places.ts';
import {
  arnOf,
  type DestinationTarget,
  isQueue,
  isTopic,
  keyOf,
  sendActionOf,
} from './destination-target.ts';
import { reportKeyClosedToAccount } from './managed-keys.ts';
import { sendKeyActions } from './queue-access.ts';
import { addToKeyPolicy } from './queue-encryption.ts';
import { isElsewhere } from './regions.ts';

/** The accounts that the policy of a target names already. */
const allowedAccounts = new WeakMap<DestinationTarget, Set<string>>();

/**
 * Lets the account of a sender send to a queue, topic or event bus of the app in another account. Its role has
 * no name to be named by, so that all who may send in that account can. Who owns an imported one allows it
 * there. Sources: "Basic examples of Amazon SQS policies", "Example cases for Amazon SNS access control",
 * "Permissions for event buses in Amazon EventBridge".
 */
export function allowFromOtherAccount(sender: Construct, target: DestinationTarget): void {
  const { account } = Stack.of(sender);
  warnOfUnknownAccount(sender, target);
  if (!Resource.isOwnedResource(target) || !isElsewhere(target.env.account, account)) return;
  const allowed = allowedAccounts.get(target) ?? new Set();
  if (allowed.has(account)) return;
  if (isQueue(target) || isTopic(target)) reportKeyClosedToAccount(target, target, account);
  allowedAccounts.set(target, allowed.add(account));
  const principals = [new AccountPrincipal(account)];
  addToPolicy(
    target,
    new PolicyStatement({ principals, actions: [sendActionOf(target)], resources: [arnOf(target)] }),
    account,
  );
  const statement = new PolicyStatement({ principals, actions: [...sendKeyActions], resources: ['*'] });
  addToKeyPolicy(keyOf(target), statement, {
    principal: `account ${account}`,
    otherwise: `its endpoints send nothing to '${target.node.path}'`,
  });
}

/** No policy can name an account that is not known, and it may be the other one. */
function warnOfUnknownAccount(sender: Construct, target: DestinationTarget): void {
  if (!Resource.isOwnedResource(target)) return;
  if (isKnown(Stack.of(sender).account) === isKnown(target.env.account)) return;
  const { path } = target.node;
  Annotations.of(sender).addWarningV2(
    `sagabox:unknownAccount:${path}`,
    `${elsewhereProblem(sender, target)}, so that the policy of '${path}' does not name the account of the sender. Give ` +
      'both stacks the account of their env: without that, nothing is sent from one account to another.',
  );
}

function addToPolicy(target: DestinationTarget, statement: PolicyStatement, account: string): void {
  if (isQueue(target) || isTopic(target)) {
    target.addToResourcePolicy(statement);
    return;
  }
  if (!('addToResourcePolicy' in target)) return;
  // An event bus knows its statements by their ids.
  statement.sid = `PutEventsFrom${account}`;
  target.addToResourcePolicy(statement);
}
