import { CfnResource, Reference, Stack, Token, Tokenization } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Properties of a resource, by their names in CloudFormation. */
export type RenderedProperties = Readonly<Record<string, unknown>>;

/** What the template will show of a resource. */
export interface RenderedResource {
  readonly Properties?: RenderedProperties;
  readonly DeletionPolicy?: unknown;
}

/**
 * The resource of a construct as the template will show it. Asked at synth, it has what aspects, escape hatches and L1
 * constructs set, which no prop tells.
 *
 * @param arn for an import, which may refer to a resource of the app
 * @returns `undefined` for a construct whose resource stands in no template of the app
 */
export function renderedResource(
  construct: IConstruct | undefined,
  arn?: string,
): RenderedResource | undefined {
  const resource = construct && resourceOf(construct, arn);
  if (resource === undefined) return undefined;
  const fragment = Stack.of(resource).resolve(
    (resource as unknown as Fragment)._toCloudFormation(),
  ) as Template;
  return Object.values(fragment.Resources ?? {})[0];
}

/** The properties of {@link renderedResource}. */
export function renderedProperties(
  construct: IConstruct | undefined,
  arn?: string,
): RenderedProperties | undefined {
  const rendered = renderedResource(construct, arn);
  return rendered && (rendered.Properties ?? {});
}

/** The L1 resource that a construct is, made, or refers to by its ARN. */
export function resourceOf(construct: IConstruct, arn?: string): CfnResource | undefined {
  const candidates = [
    construct,
    construct.node.defaultChild,
    arn === undefined ? undefined : referredBy(arn),
  ];
  return candidates.find((each) => each !== undefined && CfnResource.isCfnResource(each)) as
    | CfnResource
    | undefined;
}

/** What a name or an ARN of the app refers to; `undefined` for one that is spelled out. */
export function referredBy(token: string): IConstruct | undefined {
  if (!Token.isUnresolved(token)) return undefined;
  const { firstToken } = Tokenization.reverseString(token);
  return Reference.isReference(firstToken) ? firstToken.target : undefined;
}

/** @returns `undefined` for a number that is known only at deployment, and for what is none */
export function renderedNumber(value: unknown, unset?: number): number | undefined {
  if (isUnset(value)) return unset;
  // CloudFormation takes a number as a string, too.
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && Number.isFinite(number) ? number : undefined;
}

/** A property that has properties of its own; empty for one that is absent or known only at deployment. */
export function renderedObject(value: unknown): RenderedProperties {
  return typeof value === 'object' && value !== null ? (value as RenderedProperties) : {};
}

/** Whether a property says yes, as CloudFormation takes it; one that is known only at deployment may say either. */
export function isRenderedTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

export function isRenderedFalse(value: unknown): boolean {
  return value === false || value === 'false';
}

/** Whether a property is not given, so that the default of its service holds. */
export function isUnset(value: unknown): boolean {
  return value === undefined || renderedObject(value).Ref === 'AWS::NoValue';
}

interface Fragment {
  _toCloudFormation(): object;
}

interface Template {
  readonly Resources?: Readonly<Record<string, RenderedResource>>;
}
