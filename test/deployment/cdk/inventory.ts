import type { AwsCalls } from '../engine/aws-calls.ts';
import type { Outputs } from './cdk.ts';

/** What an account may hold that the apps make: how it is listed, and by what each is known. */
const kinds: readonly [service: string, operation: string, list: string, name: string | undefined][] = [
  ['cloudformation', 'describe_stacks', 'Stacks', 'StackName'],
  ['dynamodb', 'list_tables', 'TableNames', undefined],
  ['sqs', 'list_queues', 'QueueUrls', undefined],
  ['sns', 'list_topics', 'Topics', 'TopicArn'],
  ['sns', 'list_subscriptions', 'Subscriptions', 'SubscriptionArn'],
  ['events', 'list_event_buses', 'EventBuses', 'Name'],
  ['lambda', 'list_functions', 'Functions', 'FunctionName'],
  ['lambda', 'list_event_source_mappings', 'EventSourceMappings', 'UUID'],
  ['iam', 'list_roles', 'Roles', 'RoleName'],
  ['scheduler', 'list_schedule_groups', 'ScheduleGroups', 'Name'],
  ['s3', 'list_buckets', 'Buckets', 'Name'],
  ['cloudwatch', 'describe_alarms', 'MetricAlarms', 'AlarmName'],
  ['logs', 'describe_log_groups', 'logGroups', 'logGroupName'],
  ['kms', 'list_keys', 'Keys', 'KeyId'],
];

/** All resources of the account, as `<service> <list> <name>`. */
export async function inventory(calls: AwsCalls): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [service, operation, list, name] of kinds) {
    const result = await calls.call<Record<string, unknown[]>>(service, operation);
    for (const item of result[list] ?? []) {
      const label = name === undefined ? String(item) : String((item as Record<string, unknown>)[name]);
      if (!(await isGoing(calls, list, label))) found.add(`${service} ${list} ${label.split('/').at(-1)}`);
    }
  }
  // EventBridge lists the rules of one bus at a time.
  const { EventBuses = [] } = await calls.call<{ EventBuses?: { Name: string }[] }>(
    'events',
    'list_event_buses',
  );
  for (const { Name: EventBusName } of EventBuses) {
    const { Rules = [] } = await calls.call<{ Rules?: { Name: string }[] }>('events', 'list_rules', {
      EventBusName,
    });
    for (const { Name } of Rules) found.add(`events Rules ${Name}`);
  }
  return found;
}

/** A key is deleted after days at the earliest, as KMS has it. */
async function isGoing(calls: AwsCalls, list: string, label: string): Promise<boolean> {
  if (list !== 'Keys') return false;
  const { KeyMetadata } = await calls.call<{ KeyMetadata: { KeyState: string } }>('kms', 'describe_key', {
    KeyId: label,
  });
  return KeyMetadata.KeyState === 'PendingDeletion';
}

/** The physical names of all resources of the deployed stacks, by stack and logical id. */
export async function physicalNames(calls: AwsCalls, outputs: Outputs): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const StackName of Object.keys(outputs)) {
    const { StackResources } = await calls.call<{
      StackResources: { LogicalResourceId: string; PhysicalResourceId: string }[];
    }>('cloudformation', 'describe_stack_resources', { StackName });
    for (const { LogicalResourceId, PhysicalResourceId } of StackResources)
      names.set(`${StackName}/${LogicalResourceId}`, PhysicalResourceId);
  }
  return names;
}
