import { localArn } from '../../../lib/local/app/identity.ts';
import type { LocalResource } from '../../../lib/local/app/resources/model.ts';
import type { ProxiedCall } from '../../../lib/local/proxy/proxied-call.ts';
import { parameterNames, readSettingsReference } from '../../../lib/settings/settings-reference.ts';
import type { AccessRequest } from './iam-policy.ts';

/** What a role needs for calls that services make in its name, and that no function makes. */
export interface RoleAccess {
  /** The name of the role. */
  readonly role: string;
  readonly requests: readonly AccessRequest[];
}

interface FunctionProperties {
  readonly Role?: string;
  readonly Environment?: { readonly Variables?: Readonly<Record<string, unknown>> };
  readonly LoggingConfig?: { readonly LogGroup?: string };
}

interface QueueProperties {
  readonly KmsMasterKeyId?: string;
}

interface MappingProperties {
  readonly EventSourceArn?: string;
  readonly FunctionName?: string;
}

export function roleOfFunction({ properties }: LocalResource): string {
  return (
    String((properties as FunctionProperties).Role)
      .split('/')
      .at(-1) ?? ''
  );
}

export function isFunction({ type }: LocalResource): boolean {
  return type === 'AWS::Lambda::Function';
}

/** A stream has the ARN that its engine gave it, and policies name that of a table that is not made yet. */
function sourceArn({ EventSourceArn: arn = '' }: MappingProperties): string {
  const [, table] = /:(table\/[^/]+\/stream)\//.exec(arn) ?? [];
  return table === undefined ? arn : localArn('dynamodb', `${table}/latest`);
}

/** Of Lambda, for a queue or the stream of a table. */
function pollingActions(source: string): string[] {
  return source.includes(':dynamodb:')
    ? ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((name) => `dynamodb:${name}`)
    : ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((name) => `sqs:${name}`);
}

/**
 * Lambda reads a queue or a stream, and writes the log, by the role of the function. Sources: "Creating and configuring
 * an Amazon SQS event source mapping" (execution role permissions), "Using AWS Lambda with Amazon DynamoDB", "Sending Lambda function logs to
 * CloudWatch Logs".
 */
export function accessOfLambda(resources: readonly LocalResource[]): RoleAccess[] {
  return resources.filter(isFunction).map((resource) => {
    const mappings = resources.filter(
      ({ type, properties }) =>
        type === 'AWS::Lambda::EventSourceMapping' &&
        String((properties as MappingProperties).FunctionName).split(':')[0] === resource.name,
    );
    const polling = mappings.flatMap(({ properties }) => {
      const source = sourceArn(properties as MappingProperties);
      return [
        ...pollingActions(source).map((action) => ({ action, resource: source })),
        ...keyAccess(resources, source, ['kms:Decrypt']),
      ];
    });
    const { LoggingConfig } = resource.properties as FunctionProperties;
    const logGroup = localArn('logs', `log-group:${LoggingConfig?.LogGroup}:log-stream:any`);
    const logs = ['CreateLogStream', 'PutLogEvents'].map((action) => ({
      action: `logs:${action}`,
      resource: logGroup,
    }));
    return { role: roleOfFunction(resource), requests: [...polling, ...logs] };
  });
}

/** The local runner reads for a function the settings that its environment refers to. */
export function accessToSettings(resources: readonly LocalResource[]): RoleAccess[] {
  return resources.filter(isFunction).map((resource) => {
    const { Environment } = resource.properties as FunctionProperties;
    const requests = Object.values(Environment?.Variables ?? {})
      .flatMap((value) => readSettingsReference(String(value)) ?? [])
      .flatMap(parameterNames)
      .map((name) => ({ action: 'ssm:GetParameters', resource: localArn('ssm', `parameter${name}`) }));
    return { role: roleOfFunction(resource), requests };
  });
}

/** A schedule sends by the role that it was made with. */
export function accessOfSchedules(
  calls: readonly ProxiedCall[],
  resources: readonly LocalResource[],
): RoleAccess[] {
  return calls
    .filter(({ operation }) => operation === 'CreateSchedule')
    .map(({ request }) => {
      const target = request.Target as { RoleArn: string; Input: string; DeadLetterConfig?: { Arn: string } };
      const { QueueUrl } = JSON.parse(target.Input) as { QueueUrl: string };
      const queues = [localArn('sqs', QueueUrl.split('/').at(-1) ?? ''), target.DeadLetterConfig?.Arn ?? ''];
      const sends = queues.filter(Boolean).flatMap((queue) => sendAccess(resources, queue));
      return { role: target.RoleArn.split('/').at(-1) ?? '', requests: sends };
    });
}

/** To send to a queue, with its key when it has one of its own. */
export function sendAccess(resources: readonly LocalResource[], queueArn: string): AccessRequest[] {
  const useKey = keyAccess(resources, queueArn, ['kms:Decrypt', 'kms:GenerateDataKey']);
  return [{ action: 'sqs:SendMessage', resource: queueArn }, ...useKey];
}

function keyAccess(
  resources: readonly LocalResource[],
  queueArn: string,
  actions: readonly string[],
): AccessRequest[] {
  const queue = resources.find(
    ({ type, name }) => type === 'AWS::SQS::Queue' && name === queueArn.split(':').at(-1),
  );
  const key = (queue?.properties as QueueProperties | undefined)?.KmsMasterKeyId;
  return key === undefined ? [] : actions.map((action) => ({ action, resource: key }));
}
