import { Annotations, Stack } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { isElsewhere } from '../destinations/regions.ts';
import { takesPolicies } from '../grantees.ts';
import { Violations } from '../violations.ts';

/** Of a function that statements were granted to. */
export function checkFunctionRole(scope: Construct, { role }: { readonly role?: IRole | undefined }): void {
  if (role === undefined) return;
  const { account } = Stack.of(scope);
  if (isElsewhere(role.env.account, account)) {
    new Violations(scope).add(
      'role',
      `'${role.node.path}' is of account ${role.env.account}, and the function of account ${account}, where Lambda cannot assume it`,
      'Give the function a role of its own account, or none to have one made',
    );
  } else if (!takesPolicies(role)) {
    Annotations.of(scope).addWarningV2(
      'sagabox:functionRole',
      `role: '${role.node.path}' takes no policies of the app, so that nothing is granted to the function. Import it as mutable, ` +
        'leave it out to have one made, or see that it has all statements which the role has that is made without it.',
    );
  }
}
