import type { RemovalPolicy } from 'aws-cdk-lib';
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ILogGroupRef, LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { endpointDefaults } from './endpoint-settings.ts';
import type { FunctionProps } from './function-props.ts';

interface AccessSettings {
  readonly functionProps?: FunctionProps | undefined;
  readonly logRetention?: RetentionDays | undefined;
  readonly removalPolicy?: RemovalPolicy | undefined;
}

/** Source: "Giving Lambda functions access to resources in an Amazon VPC" (execution role permissions). */
const networkActions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

/**
 * The log group of a function, and a role that may write to that one alone: AWSLambdaBasicExecutionRole could
 * write to all log groups of the account. The name of the group is generated, as one that exists already
 * under `/aws/lambda/<function>` makes a deployment fail.
 */
export function functionAccess(
  scope: Construct,
  id: string,
  { functionProps = {}, logRetention, removalPolicy }: AccessSettings,
): { readonly logGroup: ILogGroupRef; readonly role: IRole } {
  const logGroup =
    functionProps.logGroup ??
    new LogGroup(scope, `${id}LogGroup`, {
      retention: logRetention ?? endpointDefaults.logRetention,
      removalPolicy: removalPolicy ?? endpointDefaults.removalPolicy,
    });
  const role =
    functionProps.role ??
    new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  allow(role, ['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupRef.logGroupArn);
  // They take no resource, or one that is known only when it is made.
  if (functionProps.vpc !== undefined) allow(role, networkActions, '*');
  return { logGroup, role };
}

function allow(role: IRole, actions: string[], resource: string): void {
  role.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [resource] }));
}
