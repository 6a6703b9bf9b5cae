import { localArn, localIdentity } from '../identity.ts';

/** What a reference stands for, from the local name of a resource. */
type Reference = (name: string, queueBaseUrl: string) => string;

/** What `Ref` and `Fn::GetAtt` of a type stand for. */
interface ResourceKind {
  /** The property that names it. */
  readonly nameProperty?: string;
  /** True when references to it resolve, though the local runtime does not run it. */
  readonly isStandIn?: boolean;
  readonly ref: Reference;
  readonly attributes: Readonly<Record<string, Reference>>;
}

const { accountId, partition, region, urlSuffix } = localIdentity;
const itself: Reference = (name) => name;
const queueUrl: Reference = (name, queueBaseUrl) => `${queueBaseUrl}/${accountId}/${name}`;
const arnIn =
  (service: string, prefix = ''): Reference =>
  (name) =>
    localArn(service, `${prefix}${name}`);

const topicArn = arnIn('sns');
const table: ResourceKind = {
  nameProperty: 'TableName',
  ref: itself,
  attributes: { Arn: arnIn('dynamodb', 'table/') },
};

/** By the type that a template names. */
export const resourceKinds: Readonly<Record<string, ResourceKind>> = {
  'AWS::DynamoDB::Table': table,
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    ref: queueUrl,
    attributes: { Arn: arnIn('sqs'), QueueName: itself, QueueUrl: queueUrl },
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
      Arn: (name) => `arn:${partition}:s3:::${name}`,
      DomainName: (name) => `${name}.s3.${urlSuffix}`,
      RegionalDomainName: (name) => `${name}.s3.${region}.${urlSuffix}`,
    },
  },
  'AWS::Events::EventBus': {
    nameProperty: 'Name',
    ref: itself,
    attributes: { Arn: arnIn('events', 'event-bus/'), Name: itself },
  },
  'AWS::Events::Rule': { nameProperty: 'Name', ref: itself, attributes: { Arn: arnIn('events', 'rule/') } },
  'AWS::Scheduler::ScheduleGroup': {
    nameProperty: 'Name',
    ref: itself,
    attributes: { Arn: arnIn('scheduler', 'schedule-group/') },
  },
  'AWS::Lambda::Function': {
    nameProperty: 'FunctionName',
    ref: itself,
    attributes: { Arn: arnIn('lambda', 'function:') },
  },
  'AWS::Lambda::EventSourceMapping': { ref: itself, attributes: {} },
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    isStandIn: true,
    ref: itself,
    attributes: { Arn: (name) => `arn:${partition}:iam::${accountId}:role/${name}` },
  },
};
