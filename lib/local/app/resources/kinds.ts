import { localArn, localIdentity } from '../identity.ts';

/** What `Ref` and `Fn::GetAtt` of a type stand for, from the local name of a resource. */
export interface ResourceKind {
  /** The property that names it. */
  readonly nameProperty?: string;
  /** True when references to it resolve, though the local runtime does not run it. */
  readonly isStandIn?: boolean;
  readonly ref: (name: string, queueBaseUrl: string) => string;
  readonly attributes: Readonly<Record<string, (name: string, queueBaseUrl: string) => string>>;
}

const itself = (name: string): string => name;
const queueUrl = (name: string, queueBaseUrl: string): string =>
  `${queueBaseUrl}/${localIdentity.accountId}/${name}`;
const topicArn = (name: string): string => localArn('sns', name);

const table: ResourceKind = {
  nameProperty: 'TableName',
  ref: itself,
  attributes: { Arn: (name) => localArn('dynamodb', `table/${name}`) },
};

/** By the type that a template names. */
export const resourceKinds: Readonly<Record<string, ResourceKind>> = {
  'AWS::DynamoDB::Table': table,
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    ref: queueUrl,
    attributes: { Arn: (name) => localArn('sqs', name), QueueName: itself, QueueUrl: queueUrl },
  },
  'AWS::SNS::Topic': {
    nameProperty: 'TopicName',
    ref: topicArn,
    attributes: { TopicArn: topicArn, TopicName: itself },
  },
  'AWS::SNS::Subscription': { ref: topicArn, attributes: { Arn: topicArn } },
  'AWS::S3::Bucket': {
    nameProperty: 'BucketName',
    ref: itself,
    attributes: {
      Arn: (name) => `arn:${localIdentity.partition}:s3:::${name}`,
      DomainName: (name) => `${name}.s3.${localIdentity.urlSuffix}`,
      RegionalDomainName: (name) => `${name}.s3.${localIdentity.region}.${localIdentity.urlSuffix}`,
    },
  },
  'AWS::Events::EventBus': {
    nameProperty: 'Name',
    ref: itself,
    attributes: { Arn: (name) => localArn('events', `event-bus/${name}`), Name: itself },
  },
  'AWS::Events::Rule': {
    nameProperty: 'Name',
    ref: itself,
    attributes: { Arn: (name) => localArn('events', `rule/${name}`) },
  },
  'AWS::Scheduler::ScheduleGroup': {
    nameProperty: 'Name',
    ref: itself,
    attributes: { Arn: (name) => localArn('scheduler', `schedule-group/${name}`) },
  },
  'AWS::Lambda::Function': {
    nameProperty: 'FunctionName',
    ref: itself,
    attributes: { Arn: (name) => localArn('lambda', `function:${name}`) },
  },
  'AWS::Lambda::EventSourceMapping': { ref: itself, attributes: {} },
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    isStandIn: true,
    ref: itself,
    attributes: {
      Arn: (name) => `arn:${localIdentity.partition}:iam::${localIdentity.accountId}:role/${name}`,
    },
  },
};
