import { type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Tracing } from 'aws-cdk-lib/aws-lambda';
import { type CfnLogGroup, type ILogGroupRef, LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { addToKeyPolicy } from '../destinations/queue-encryption.ts';
import { reachable } from '../destinations/reachable.ts';
import { acknowledgeWildcard } from '../nag-suppressions.ts';
import { endpointDefaults } from './endpoint-rows.ts';
import type { FunctionProps } from './function-props.ts';

interface AccessSettings {
  readonly functionProps?: FunctionProps | undefined;
  readonly logRetention?: RetentionDays | undefined;
  readonly removalPolicy?: RemovalPolicy | undefined;
  /** Of the log group. @default - a key of CloudWatch Logs */
  readonly encryptionKey?: IKey | undefined;
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
  { functionProps = {}, logRetention, removalPolicy, encryptionKey }: AccessSettings,
): { readonly logGroup: ILogGroupRef; readonly role: IRole } {
  const logGroup =
    functionProps.logGroup ??
    encryptedLogGroup(
      new LogGroup(scope, `${id}LogGroup`, {
        retention: logRetention ?? endpointDefaults.logRetention,
        removalPolicy: removalPolicy ?? endpointDefaults.removalPolicy,
      }),
      encryptionKey,
    );
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

/** Source: "Encrypt log data in CloudWatch Logs using AWS Key Management Service" (step 2). */
const logKeyActions = [
  'kms:Encrypt*',
  'kms:Decrypt*',
  'kms:ReEncrypt*',
  'kms:GenerateDataKey*',
  'kms:Describe*',
];

function encryptedLogGroup(logGroup: LogGroup, key: IKey | undefined): LogGroup {
  if (key === undefined) return logGroup;
  // As that of a queue: the key may be of another stack.
  (logGroup.node.defaultChild as CfnLogGroup).kmsKeyId = reachable(key, key.keyArn);
  const { account, region, partition, urlSuffix } = Stack.of(logGroup);
  const statement = new PolicyStatement({
    principals: [new ServicePrincipal(`logs.${region}.${urlSuffix}`)],
    actions: logKeyActions,
    resources: ['*'],
    // The name of the log group would make the key depend on it, and it depends on the key.
    conditions: {
      ArnLike: {
        'kms:EncryptionContext:aws:logs:arn': `arn:${partition}:logs:${region}:${account}:log-group:*`,
      },
    },
  });
  addToKeyPolicy(key, statement, {
    principal: 'logs.<region>.amazonaws.com',
    otherwise: 'the log group cannot be made',
    id: 'logs',
  });
  return logGroup;
}

function allow(role: IRole, actions: string[], resource: string): void {
  role.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [resource] }));
}
