import type { RemovalPolicy } from 'aws-cdk-lib';
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Tracing } from 'aws-cdk-lib/aws-lambda';
import { type ILogGroupRef, LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledgeWildcard } from '../acknowledgements.ts';
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
  const { vpc, tracing = Tracing.DISABLED } = functionProps;
  if (vpc !== undefined) {
    allow(role, networkActions, '*');
    acknowledgeWildcard(
      { grantPrincipal: role },
      '*',
      'Lambda makes the network interfaces in the VPC: no action on them takes a resource that is known before.',
    );
  }
  if (tracing !== Tracing.DISABLED) {
    // The function adds the statement by itself.
    const reason = 'The actions by which a function writes its traces to X-Ray take no resource.';
    acknowledgeWildcard({ grantPrincipal: role }, '*', reason);
  }
  return { logGroup, role };
}

function allow(role: IRole, actions: string[], resource: string): void {
  role.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [resource] }));
}
