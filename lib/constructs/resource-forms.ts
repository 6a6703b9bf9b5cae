import { CfnResource, Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** How CloudFormation names a resource. */
export interface ResourceForm {
  /** What follows the partition in the ARN, up to the name; `R` and `A` are the region and the account. */
  readonly arn: string;
  /** The property with the name, in the words of CDK. */
  readonly nameProperty: string;
  /** What `Ref` returns. @default 'name' */
  readonly ref?: 'arn' | 'url';
}

interface Place {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

/** By the type of the resource. Source: "Return values" of each in the CloudFormation template reference. */
export const resourceForms: Readonly<Record<string, ResourceForm>> = {
  'AWS::DynamoDB::Table': { arn: 'dynamodb:R:A:table/', nameProperty: 'tableName' },
  'AWS::DynamoDB::GlobalTable': { arn: 'dynamodb:R:A:table/', nameProperty: 'tableName' },
  'AWS::Events::EventBus': { arn: 'events:R:A:event-bus/', nameProperty: 'name' },
  'AWS::Events::Rule': { arn: 'events:R:A:rule/', nameProperty: 'name' },
  'AWS::IAM::Role': { arn: 'iam::A:role/', nameProperty: 'roleName' },
  'AWS::KMS::Key': { arn: 'kms:R:A:key/', nameProperty: '' },
  'AWS::Lambda::Function': { arn: 'lambda:R:A:function:', nameProperty: 'functionName' },
  'AWS::S3::Bucket': { arn: 's3:::', nameProperty: 'bucketName' },
  'AWS::SNS::Topic': { arn: 'sns:R:A:', nameProperty: 'topicName', ref: 'arn' },
  'AWS::SQS::Queue': { arn: 'sqs:R:A:', nameProperty: 'queueName', ref: 'url' },
  'AWS::Scheduler::ScheduleGroup': { arn: 'scheduler:R:A:schedule-group/', nameProperty: 'name' },
};

export function arnOfForm(
  { arn }: Pick<ResourceForm, 'arn'>,
  { partition, region, account }: Place,
  name: string,
): string {
  return `arn:${partition}:${arn.replace(':R:', `:${region}:`).replace(':A:', `:${account}:`)}${name}`;
}

/** What a resource is known by without a reference to it. */
export interface KnownName {
  readonly name: string;
  readonly arn: string;
}

/**
 * The name that the template of a construct's resource says; `undefined` when CloudFormation makes one up, or
 * when it is known only at deployment.
 */
export function knownName({ node }: IConstruct): KnownName | undefined {
  const resource = node.defaultChild;
  if (resource === undefined || !CfnResource.isCfnResource(resource)) return undefined;
  const form = resourceForms[resource.cfnResourceType];
  if (form === undefined) return undefined;
  const stack = Stack.of(resource);
  const name: unknown = stack.resolve(
    (resource as unknown as Readonly<Record<string, unknown>>)[form.nameProperty],
  );
  return typeof name === 'string' ? { name, arn: arnOfForm(form, stack, name) } : undefined;
}
