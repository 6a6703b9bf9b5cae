import { Stack, Validations } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';

/**
 * Tells users of cdk-nag's AwsSolutions rules why a resource of ours does not follow one of them.
 *
 * @param rule for example `SQS3`
 */
export function acknowledge(scope: IConstruct, rule: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
}

/**
 * Tells why a grantee's policy names resources by a wildcard. The rule reports each of them by itself, under
 * the name that it has in the template, which is known only when the references between stacks are.
 */
export function acknowledgeWildcard(grantee: Grantee, resourceArn: string, reason: string): void {
  const { grantPrincipal, policy } = grantee;
  const holder = policy ?? grantPrincipal;
  if (!Construct.isConstruct(holder)) return;
  holder.node.addValidation({
    validate: () => {
      const resolved = Stack.of(holder).resolve(resourceArn);
      acknowledge(holder, `IAM5[Resource::${inWords(resolved)}]`, reason);
      return [];
    },
  });
}

/** The policy of one who keeps its grants apart from its role. */
type Grantee = IGrantable & { readonly policy?: IConstruct };

/** A value of a template as cdk-nag names it: references in angle brackets. */
function inWords(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('${', '<').replaceAll('}', '>');
  const { Ref, ...functions } = value as Readonly<Record<string, unknown>>;
  if (typeof Ref === 'string') return `<${Ref}>`;
  const { 'Fn::GetAtt': attribute, 'Fn::Join': join, 'Fn::ImportValue': imported } = functions;
  if (Array.isArray(attribute)) return `<${attribute.map(inWords).join('.')}>`;
  if (Array.isArray(join)) return (join[1] as unknown[]).map(inWords).join(join[0]);
  return imported === undefined ? JSON.stringify(value) : inWords(imported);
}
