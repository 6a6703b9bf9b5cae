import { functionNameOf } from '../../lambda/function-name.ts';
import { localArn, localIdentity, localQueueUrl } from '../identity.ts';

/** What a reference stands for, from the local name of a resource and its resolved properties. */
type Reference = (name: string, context: ReferenceContext) => string;

export interface ReferenceContext {
  readonly queueBaseUrl: string;
  readonly streamArns: StreamArns;
  readonly property: (name: string) => unknown;
}

/** The streams of tables that an engine has, by table name. */
export type StreamArns = ReadonlyMap<string, string>;

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
const queueUrl: Reference = (name, { queueBaseUrl }) => localQueueUrl(queueBaseUrl, name);
const arnIn =
  (service: string, prefix = ''): Reference =>
  (name) =>
    localArn(service, `${prefix}${name}`);

/** An alias or a version: the same function here. */
const qualified =
  (qualifierOf: (context: ReferenceContext) => unknown): Reference =>
  (_name, context) =>
    localArn(
      'lambda',
      `function:${functionNameOf(String(context.property('FunctionName')))}:${qualifierOf(context)}`,
    );
const aliasArn = qualified(({ property }) => property('Name'));
/** There is one version of a function here. */
const version: Reference = () => '1';

const topicArn = arnIn('sns');
/** The label of a stream is its own as soon as the engine has made it. */
const streamArn: Reference = (name, { streamArns }) =>
  streamArns.get(name) ?? localArn('dynamodb', `table/${name}/stream/latest`);
const table: ResourceKind = {
  nameProperty: 'TableName',
  ref: itself,
  attributes: { Arn: arnIn('dynamodb', 'table/'), StreamArn: streamArn },
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
  'AWS::Lambda::Alias': { isStandIn: true, ref: aliasArn, attributes: { AliasArn: aliasArn } },
  'AWS::Lambda::Version': {
    isStandIn: true,
    ref: qualified(() => '1'),
    attributes: { FunctionArn: qualified(() => '1'), Version: version },
  },
  'AWS::Lambda::EventSourceMapping': { ref: itself, attributes: { Id: itself } },
  'AWS::SSM::Parameter': {
    nameProperty: 'Name',
    ref: itself,
    attributes: {
      Type: (_name, { property }) => String(property('Type')),
      Value: (_name, { property }) => String(property('Value')),
    },
  },
  'AWS::Logs::LogGroup': {
    nameProperty: 'LogGroupName',
    isStandIn: true,
    ref: itself,
    attributes: { Arn: (name) => localArn('logs', `log-group:${name}:*`) },
  },
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    isStandIn: true,
    ref: itself,
    attributes: { Arn: (name) => `arn:${partition}:iam::${accountId}:role/${name}` },
  },
};
