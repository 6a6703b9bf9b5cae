import { CfnResource, Stack } from 'aws-cdk-lib';
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
 * @returns `undefined` for an imported construct, whose resource stands in no template of the app
 */
export function renderedResource(construct: IConstruct | undefined): RenderedResource | undefined {
  const resource =
    construct && (CfnResource.isCfnResource(construct) ? construct : construct.node.defaultChild);
  if (resource === undefined || !CfnResource.isCfnResource(resource)) return undefined;
  const fragment = Stack.of(resource).resolve(
    (resource as unknown as Fragment)._toCloudFormation(),
  ) as Template;
  return Object.values(fragment.Resources ?? {})[0];
}

/** The properties of {@link renderedResource}. */
export function renderedProperties(construct: IConstruct | undefined): RenderedProperties | undefined {
  const rendered = renderedResource(construct);
  return rendered && (rendered.Properties ?? {});
}

/** @returns `undefined` for a number that is known only at deployment */
export function renderedNumber(value: unknown, unset?: number): number | undefined {
  if (value === undefined) return unset;
  // CloudFormation takes a number as a string, too.
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A property that has properties of its own; empty for one that is absent or known only at deployment. */
export function renderedObject(value: unknown): RenderedProperties {
  return typeof value === 'object' && value !== null ? (value as RenderedProperties) : {};
}

interface Fragment {
  _toCloudFormation(): object;
}

interface Template {
  readonly Resources?: Readonly<Record<string, RenderedResource>>;
}
