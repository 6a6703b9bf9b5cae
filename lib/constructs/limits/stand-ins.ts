import type { CfnElement } from 'aws-cdk-lib';
import { queueUrlIn } from '../../core/outgoing/service-location.ts';
import { isKnown } from '../assert-range.ts';
import { arnOfForm, resourceForms } from '../resource-forms.ts';

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

/** Of a service that we do not use. */
const unknownForm = { arn: `${'s'.repeat(20)}:R:A:${'r'.repeat(20)}/` };

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
  const form = resourceForms[type];
  const known = form && (element as unknown as Record<string, unknown>)[form.nameProperty];
  const resourceName = type === 'AWS::KMS::Key' ? uuid : isLiteral(known) ? known : name;
  const isArn = attribute.endsWith('Arn') || (attribute === 'Ref' && form?.ref === 'arn');
  if (isArn) return arnOfForm(form ?? unknownForm, { partition: 'aws', region, account }, resourceName);
  const isUrl = attribute === 'QueueUrl' || (attribute === 'Ref' && form?.ref === 'url');
  return isUrl ? queueUrlIn({ accountId: account, region }, resourceName) : resourceName;
}

function isLiteral(value: unknown): value is string {
  return typeof value === 'string' && isKnown(value);
}
