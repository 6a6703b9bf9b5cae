import type { CfnElement } from 'aws-cdk-lib';
import { queueUrlIn } from '../../messages/destinations/service-location.ts';
import { isKnown } from '../is-known.ts';
import { arnOfForm, resourceForms } from '../resource-forms.ts';

/** How long a name counts that is known only at deployment; that of an SQS queue, the longest that we use. */
const NAME_LENGTH = 80;
const name = 'n'.repeat(NAME_LENGTH);
/** The length of the id of a key. */
const UUID_LENGTH = 36;
const account = '1'.repeat(12);
/** One of the longest names of a region. */
const region = 'ap-southeast-1';
const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::StackName': name,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${name}/${'0'.repeat(UUID_LENGTH)}`,
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
  const resourceName = isLiteral(known) ? known : madeName(element, type);
  const isArn = attribute.endsWith('Arn') || (attribute === 'Ref' && form?.ref === 'arn');
  if (isArn) return arnOfForm(form ?? unknownForm, { partition: 'aws', region, account }, resourceName);
  const isUrl = attribute === 'QueueUrl' || (attribute === 'Ref' && form?.ref === 'url');
  return isUrl ? queueUrlIn({ accountId: account, region }, resourceName) : resourceName;
}

/** Another one for each resource, as a policy names what is equal once. */
function madeName(element: CfnElement | undefined, type: string): string {
  const length = type === 'AWS::KMS::Key' ? UUID_LENGTH : NAME_LENGTH;
  return (element?.node.addr ?? '').padEnd(length, 'n').slice(0, length);
}

function isLiteral(value: unknown): value is string {
  return typeof value === 'string' && isKnown(value);
}
