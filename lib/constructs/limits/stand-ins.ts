import type { CfnElement } from 'aws-cdk-lib';

/** How long a name counts that is known only at deployment; that of an SQS queue, the longest that we use. */
const NAME_LENGTH = 80;
const name = 'n'.repeat(NAME_LENGTH);
const account = '1'.repeat(12);
/** One of the longest names of a region. */
const region = 'ap-southeast-1';
/** The id of a key. */
const uuid = '00000000-0000-0000-0000-000000000000';

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::StackName': name,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${name}/${uuid}`,
  'AWS::URLSuffix': 'amazonaws.com',
};

interface ResourceForm {
  /** What stands before the name in the ARN; `R` and `A` are the region and the account. */
  readonly arn: string;
  /** The property with the name, in the words of CDK. */
  readonly nameProperty: string;
  /** What `Ref` returns. @default 'name' */
  readonly ref?: 'arn' | 'url';
}

const forms: Readonly<Record<string, ResourceForm>> = {
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

/** What stands for a pseudo parameter or the reference of a template, in its longest form. */
export function standInForPseudoParameter(parameter: string): string | undefined {
  return pseudoParameters[parameter];
}

/**
 * What stands for an attribute of a resource: its name, if the template says it, else one of 80 characters,
 * in the ARN or URL that the attribute is.
 *
 * @param attribute 'Ref', or that of `Fn::GetAtt`
 */
export function standInForAttribute(element: CfnElement | undefined, attribute: string): string {
  const type = (element as { cfnResourceType?: string } | undefined)?.cfnResourceType ?? '';
  const form = forms[type];
  const known = form && (element as unknown as Record<string, unknown>)[form.nameProperty];
  const resourceName = type === 'AWS::KMS::Key' ? uuid : isLiteral(known) ? known : name;
  const isArn = attribute.endsWith('Arn') || (attribute === 'Ref' && form?.ref === 'arn');
  if (isArn) return arnOf(form?.arn ?? `${'s'.repeat(20)}:R:A:${'r'.repeat(20)}/`, resourceName);
  const isUrl = attribute === 'QueueUrl' || (attribute === 'Ref' && form?.ref === 'url');
  return isUrl ? `https://sqs.${region}.amazonaws.com/${account}/${resourceName}` : resourceName;
}

function arnOf(form: string, resourceName: string): string {
  return `arn:aws:${form.replace(':R:', `:${region}:`).replace(':A:', `:${account}:`)}${resourceName}`;
}

function isLiteral(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('${Token[');
}
