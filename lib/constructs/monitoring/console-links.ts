import { type IResource, Reference, Stack, Token, Tokenization } from 'aws-cdk-lib';
import { CfnFunction, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { AnyTable } from '../construct-types.ts';
import { isKnown } from '../is-known.ts';

/** The console of the region where the resource is, which may be known only at deployment. */
function consoleUrl({ env: { region } }: Pick<IResource, 'env'>, service: string, page: string): string {
  return `https://${region}.${consoleDomain(region)}/${service}/home?region=${region}#${page}`;
}

/** Source: "Partitions" in the AWS Fault Isolation Boundaries whitepaper. A token is taken to be of `aws`. */
function consoleDomain(region: string): string {
  if (Token.isUnresolved(region)) return 'console.aws.amazon.com';
  if (region.startsWith('cn-')) return 'console.amazonaws.cn';
  return region.startsWith('us-gov-') ? 'console.amazonaws-us-gov.com' : 'console.aws.amazon.com';
}

/** The console finds a queue by its URL, encoded, which is put together here as a token cannot be encoded. */
export function queueLink(queue: IQueue): string {
  const { region, account } = queue.env;
  const url = `https%3A%2F%2Fsqs.${region}.${Stack.of(queue).urlSuffix}%2F${account}%2F${queue.queueName}`;
  return consoleUrl(queue, 'sqs/v3', `/queues/${url}`);
}

export function functionLink(handler: IFunction): string {
  return consoleUrl(handler, 'lambda', `/functions/${handler.functionName}`);
}

export function logLink(handler: IFunction): string {
  const group = logGroupName(handler) ?? `/aws/lambda/${handler.functionName}`;
  // The console encodes a name twice, with '$' for '%'; other characters of a name need no encoding.
  const encoded = group.replaceAll('/', '$252F').replaceAll('#', '$2523');
  return consoleUrl(handler, 'cloudwatch', `logsV2:log-groups/log-group/${encoded}`);
}

/** `undefined` for the one that Lambda makes, or that is not known. */
function logGroupName({ node: { defaultChild: resource } }: IFunction): string | undefined {
  if (!(resource instanceof CfnFunction)) return undefined;
  const { loggingConfig } = resource;
  if (loggingConfig === undefined || Token.isUnresolved(loggingConfig)) return undefined;
  const { logGroup } = loggingConfig as CfnFunction.LoggingConfigProperty;
  if (logGroup === undefined) return undefined;
  // A reference is resolved only at deployment, when the name cannot be encoded any more.
  const reference = Tokenization.reverse(logGroup);
  const group = Reference.isReference(reference) ? reference.target : undefined;
  const given = group instanceof CfnLogGroup ? group.logGroupName : undefined;
  return given !== undefined && isKnown(given) ? given : logGroup;
}

export function tableLink(table: AnyTable): string {
  return consoleUrl(table, 'dynamodbv2', `table?name=${table.tableName}`);
}
