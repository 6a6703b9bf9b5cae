import { localArn, localIdentity } from '../../../lib/local/app/identity.ts';
import type { ProxiedCall } from '../../../lib/local/proxy/proxied-call.ts';
import type { AccessRequest } from './iam-policy.ts';

type Request = ProxiedCall['request'];
type Item = Readonly<Record<string, { readonly S?: string }>>;

/** The names of a table's keys. */
export type PartitionKeyOf = (tableName: string) => string;

/**
 * The permissions that AWS asks for a call of a function: a transaction and a batch need those of the single
 * calls. Sources: "Actions, resources, and condition keys for Amazon DynamoDB", for Amazon SQS, SNS, S3,
 * EventBridge and EventBridge Scheduler; "Using IAM with DynamoDB transactions".
 *
 * @throws Error for an operation that is not known here
 */
export function requiredAccess(call: ProxiedCall, partitionKeyOf: PartitionKeyOf): AccessRequest[] {
  const { service, operation, request } = call;
  if (service === 'dynamodb') return tableAccess(operation, request, partitionKeyOf);
  const found = others[service]?.[operation]?.(request);
  if (found === undefined) throw new Error(`No permission is known for ${service} ${operation}`);
  return found;
}

const onQueue =
  (action: string) =>
  ({ QueueUrl }: Request): AccessRequest[] => [
    { action: `sqs:${action}`, resource: localArn('sqs', lastPart(QueueUrl)) },
  ];

const onSchedule =
  (action: string) =>
  ({ GroupName, Name }: Request): AccessRequest[] => [
    {
      action: `scheduler:${action}`,
      resource: localArn('scheduler', `schedule/${GroupName ?? 'default'}/${Name}`),
    },
  ];

const onObject =
  (action: string) =>
  ({ Bucket, Key }: Request): AccessRequest[] => [
    { action: `s3:${action}`, resource: `arn:${localIdentity.partition}:s3:::${Bucket}/${Key}` },
  ];

const onTopic = ({ TopicArn }: Request): AccessRequest[] => [
  { action: 'sns:Publish', resource: String(TopicArn) },
];

const others: Readonly<
  Partial<Record<ProxiedCall['service'], Readonly<Record<string, (request: Request) => AccessRequest[]>>>>
> = {
  sqs: {
    SendMessage: onQueue('SendMessage'),
    SendMessageBatch: onQueue('SendMessage'),
    ChangeMessageVisibility: onQueue('ChangeMessageVisibility'),
    ChangeMessageVisibilityBatch: onQueue('ChangeMessageVisibility'),
  },
  sns: { Publish: onTopic, PublishBatch: onTopic },
  s3: { PutObject: onObject('PutObject'), GetObject: onObject('GetObject') },
  eventbridge: {
    PutEvents: ({ Entries }) =>
      (Entries as { EventBusName: string }[]).map(({ EventBusName: bus }) => ({
        action: 'events:PutEvents',
        resource: bus.startsWith('arn:') ? bus : localArn('events', `event-bus/${bus}`),
      })),
  },
  lambda: {
    GetEventSourceMapping: ({ UUID }) => [
      {
        action: 'lambda:GetEventSourceMapping',
        resource: localArn('lambda', `event-source-mapping:${UUID}`),
      },
    ],
  },
  scheduler: {
    CreateSchedule: (request) => [
      ...onSchedule('CreateSchedule')(request),
      {
        action: 'iam:PassRole',
        resource: String((request.Target as { RoleArn: string }).RoleArn),
        context: { 'iam:PassedToService': ['scheduler.amazonaws.com'] },
      },
    ],
    DeleteSchedule: onSchedule('DeleteSchedule'),
    GetSchedule: onSchedule('GetSchedule'),
    GetScheduleGroup: ({ Name }) => [
      { action: 'scheduler:GetScheduleGroup', resource: localArn('scheduler', `schedule-group/${Name}`) },
    ],
  },
};

interface TableCall {
  readonly action: string;
  readonly tableName: string;
  readonly items?: readonly Item[];
}

function tableAccess(operation: string, request: Request, partitionKeyOf: PartitionKeyOf): AccessRequest[] {
  return tableCalls(operation, request, partitionKeyOf).map(({ action, tableName, items = [] }) => {
    const leadingKeys = items.flatMap((item) => item[partitionKeyOf(tableName)]?.S ?? []);
    return {
      action: `dynamodb:${action}`,
      resource: localArn('dynamodb', `table/${tableName}`),
      ...(leadingKeys.length > 0 && { context: { 'dynamodb:LeadingKeys': leadingKeys } }),
    };
  });
}

const transactionActions = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
} as const;

interface TransactionPart {
  readonly TableName: string;
  readonly Key?: Item;
  readonly Item?: Item;
}

type TransactItem = Readonly<Partial<Record<keyof typeof transactionActions, TransactionPart>>>;
type WriteRequest = { readonly PutRequest?: { Item: Item }; readonly DeleteRequest?: { Key: Item } };

function tableCalls(operation: string, request: Request, partitionKeyOf: PartitionKeyOf): TableCall[] {
  const tableName = String(request.TableName);
  switch (operation) {
    case 'TransactWriteItems':
      return (request.TransactItems as TransactItem[]).flatMap((item) =>
        Object.entries(item).map(([kind, { TableName, Key, Item }]) => ({
          action: transactionActions[kind as keyof typeof transactionActions],
          tableName: TableName,
          items: [Key ?? Item ?? {}],
        })),
      );
    case 'BatchExecuteStatement':
      return (request.Statements as { Statement: string }[]).map(({ Statement }) => statementCall(Statement));
    case 'BatchGetItem':
      return Object.entries(request.RequestItems as Record<string, { Keys: Item[] }>).map(
        ([name, { Keys }]) => ({ action: operation, tableName: name, items: Keys }),
      );
    case 'BatchWriteItem':
      return Object.entries(request.RequestItems as Record<string, WriteRequest[]>).map(([name, writes]) => ({
        action: operation,
        tableName: name,
        items: writes.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
      }));
    case 'Query': {
      const { ExpressionAttributeValues = {} } = request as { ExpressionAttributeValues?: Item };
      // Each value that is a key of ours.
      const values = Object.values(ExpressionAttributeValues).flatMap(({ S }) => S ?? []);
      const keys = values.filter((value) => /^(OUTBOX|SAGA|UNSENT)#/.test(value));
      const items = keys.map((S) => ({ [partitionKeyOf(tableName)]: { S } }));
      return [{ action: operation, tableName, items }];
    }
    case 'DescribeTable':
    case 'Scan':
      return [{ action: operation, tableName }];
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [{ action: operation, tableName, items: [(request.Key ?? request.Item) as Item] }];
    default:
      throw new Error(`No permission is known for dynamodb ${operation}`);
  }
}

/** Source: "IAM security policies with PartiQL for DynamoDB". The keys in conditions on tables are not documented. */
function statementCall(statement: string): TableCall {
  const [, verb, tableName = ''] = /^(INSERT INTO|UPDATE) "([^"]+)"/.exec(statement) ?? [];
  if (verb === undefined) throw new Error(`No permission is known for the statement ${statement}`);
  return { action: verb === 'UPDATE' ? 'PartiQLUpdate' : 'PartiQLInsert', tableName };
}

function lastPart(url: unknown): string {
  return String(url).split('/').at(-1) ?? '';
}
