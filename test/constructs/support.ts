import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { App, Aspects, type Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { Construct, IConstruct } from 'constructs';
import { MessageEndpoint, type MessageEndpointProps } from 'sagabox/constructs';

export { refusalOf as refusal } from '../support/error-of.ts';

const assemblies = mkdtempSync(join(tmpdir(), 'sagabox-constructs-'));

afterAll(() => rmSync(assemblies, { recursive: true, force: true }));

/** A stack whose functions are not bundled, which takes seconds each. */
export function unbundledStack(context: Record<string, unknown> = {}): Stack {
  const outdir = mkdtempSync(join(assemblies, 'cdk.out-'));
  const unbundled = { ...context, 'aws:cdk:bundling-stacks': [] };
  return new Stack(new App({ outdir, context: unbundled, treeMetadata: false }), 'Test');
}

export function inlineFunction(scope: Construct, id: string, timeout?: Duration): LambdaFunction {
  return new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('export const handler = async () => {};'),
    recursiveLoop: RecursiveLoop.ALLOW,
    ...(timeout === undefined ? {} : { timeout }),
  });
}

/** An endpoint 'Orders' with a function of its own, 'Own', whose props may need the stack. */
export function ordersEndpoint(
  props: Partial<MessageEndpointProps> | ((stack: Stack) => Partial<MessageEndpointProps>) = {},
  context: Record<string, unknown> = {},
): { stack: Stack; orders: MessageEndpoint } {
  const stack = unbundledStack(context);
  const orders = inlineEndpoint(stack, 'Orders', typeof props === 'function' ? props(stack) : props, 'Own');
  return { stack, orders };
}

export function inlineEndpoint(
  scope: Construct,
  id: string,
  props: Partial<MessageEndpointProps> = {},
  functionId = `${id}Own`,
): MessageEndpoint {
  const own = { function: inlineFunction(scope, functionId) };
  return new MessageEndpoint(scope, id, { ...own, ...props } as MessageEndpointProps);
}

/** 'Regional', in an account and a region that are known, or of none. */
export function regionalStack(region: string | undefined): Stack {
  const main = unbundledStack();
  inlineFunction(main, 'Any');
  const app = main.node.root as App;
  return new Stack(app, 'Regional', region === undefined ? {} : { env: { account: '111111111111', region } });
}

/**
 * What the rules of its constructs find wrong with the app of a stack, as its synth says it; empty if it is
 * sound. Of one stack without the rules of its limits, which render the whole template: see {@link limitsOf}.
 */
export function violationsOf(stack: Stack): string {
  const app = stack.node.root.node;
  // Of several stacks, a synth also says what is wrong with references from one to another.
  if (app.findAll().filter(Stack.isStack).length > 1) return synthFailureOf(stack);
  visitByAspects(stack);
  return reported(app.findAll().filter((construct) => !Stack.isStack(construct)));
}

/** What is over a limit of this stack, as the synth of its app says it. */
export function limitsOf(stack: Stack): string {
  visitByAspects(stack);
  return reported([stack]);
}

function visitByAspects(stack: Stack): void {
  for (const construct of stack.node.root.node.findAll())
    for (const scope of construct.node.scopes)
      for (const aspect of Aspects.of(scope).all) aspect.visit(construct);
}

function reported(constructs: readonly IConstruct[]): string {
  const problems = constructs.flatMap(({ node }) =>
    node.validate().map((message) => `  [${node.path}] ${message}`),
  );
  return problems.length === 0
    ? ''
    : ['Validation failed with the following errors:', ...problems].join('\n');
}

/** What the synth of the app of a stack fails with; empty if it does not. */
export function synthFailureOf(stack: Stack): string {
  try {
    (stack.node.root as App).synth();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** @param violation a part of the message, or the empty string for a sound app */
export function expectViolation(stack: Stack, violation: string): void {
  const found = violationsOf(stack);
  if (violation === '') expect(found).toBe('');
  else expect(found).toContain(violation);
}

export const startsWith = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}`));

/** The ARN of a resource whose logical id begins with `prefix`. */
export const arnOf = (prefix: string) => ({ 'Fn::GetAtt': [startsWith(prefix), 'Arn'] });

export const refOf = (prefix: string) => ({ Ref: startsWith(prefix) });

/** The environment of the function whose logical id begins with `prefix`. */
export function variablesOf(stack: Stack, prefix: string): Record<string, unknown> {
  const { Environment } = propertiesOf(stack, 'AWS::Lambda::Function', prefix);
  return (Environment as { Variables: Record<string, unknown> }).Variables;
}

const templates = new WeakMap<Stack, { readonly template: Template; readonly constructs: number }>();

/** A variable as the text that it is, with every reference as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const join = (value as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  return join[1].map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('');
}

/** A variable that is JSON, with every reference as the logical id that it has. */
export function jsonVariable(stack: Stack, prefix: string, name: string): Record<string, unknown> {
  return JSON.parse(
    textOf(variablesOf(stack, prefix)[name]).replaceAll(/\{"(?:Ref|Fn::ImportValue)":"([^"]+)"\}/g, '$1'),
  );
}

/**
 * The template of a sound app. That of an app of one stack is without the dependencies of resources on others,
 * which `Template.fromStack` has: a synth takes twice as long.
 */
export function templateOf(stack: Stack): Template {
  const { node } = stack.node.root;
  const known = templates.get(stack);
  if (known?.constructs === node.findAll().length) return known.template;
  const isAlone = node.findAll().filter(Stack.isStack).length === 1;
  const template = isAlone ? resolvedTemplate(stack) : Template.fromStack(stack);
  // The aspects may have added some.
  templates.set(stack, { template, constructs: node.findAll().length });
  return template;
}

function resolvedTemplate(stack: Stack): Template {
  const violations = violationsOf(stack);
  if (violations !== '') throw new Error(violations);
  const { _toCloudFormation: fragment } = stack as unknown as { _toCloudFormation(): object };
  return Template.fromJSON(stack.resolve(fragment.call(stack)));
}

function resourcesOf<P>(stack: Stack, type: string, prefix: string): P[] {
  return Object.entries(templateOf(stack).findResources(type))
    .filter(([id]) => id.startsWith(prefix))
    .map(([, resource]) => resource.Properties as P);
}

/** The properties of the one resource of a type whose logical id begins with `prefix`. */
export function propertiesOf(stack: Stack, type: string, prefix = ''): Record<string, unknown> {
  const found = resourcesOf<Record<string, unknown>>(stack, type, prefix);
  const [properties] = found;
  if (found.length !== 1 || properties === undefined) {
    throw new Error(`${found.length} resources of type ${type} begin with '${prefix}'`);
  }
  return properties;
}

export interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
}

/** What the identity policies say whose logical ids begin with `prefix`. */
export function policyStatements(stack: Stack, prefix = ''): Statement[] {
  const policies = resourcesOf<PolicyProperties>(stack, 'AWS::IAM::Policy', prefix);
  return policies.flatMap((policy) => policy.PolicyDocument.Statement);
}

interface PolicyProperties {
  readonly PolicyDocument: { readonly Statement: Statement[] };
}

/** The actions on each resource, by its logical id. */
export function allowedActions(stack: Stack, prefix = ''): Record<string, string[]> {
  const actions: Record<string, string[]> = {};
  for (const { Effect, Action, Resource } of policyStatements(stack, prefix)) {
    for (const resource of [Resource].flat()) {
      const id = `${Effect} ${logicalIdOf(resource)}`;
      actions[id] = [...(actions[id] ?? []), ...[Action].flat()].sort();
    }
  }
  return actions;
}

function logicalIdOf(resource: unknown): string {
  const attribute = (resource as { 'Fn::GetAtt'?: string[] })['Fn::GetAtt'];
  if (attribute?.[1] !== 'Arn') return JSON.stringify(resource);
  // CDK ends logical ids with a hash.
  return String(attribute[0]).slice(0, -8);
}

/** The least and the most that autoscaling sets, by dimension. */
export function scalingLimits(stack: Stack): Record<string, [number, number]> {
  return Object.fromEntries(
    scalableTargets(stack).map(({ ScalableDimension, MinCapacity, MaxCapacity }) => [
      ScalableDimension.replace('dynamodb:', ''),
      [MinCapacity, MaxCapacity],
    ]),
  );
}

/** The utilisation that autoscaling holds, by metric. */
export function policyTargets(stack: Stack): Record<string, number> {
  const policies = resourcesOf<ScalingPolicyProperties>(
    stack,
    'AWS::ApplicationAutoScaling::ScalingPolicy',
    '',
  );
  return Object.fromEntries(
    policies.map(({ TargetTrackingScalingPolicyConfiguration: configuration }) => [
      configuration.PredefinedMetricSpecification.PredefinedMetricType,
      configuration.TargetValue,
    ]),
  );
}

export interface ScheduledAction {
  readonly name: string;
  readonly schedule: string;
  readonly limits: [number, number];
  readonly timezone?: string;
}

/** What is scaled by time, by dimension. */
export function scheduledActions(stack: Stack): Record<string, ScheduledAction[]> {
  return Object.fromEntries(
    scalableTargets(stack).map(({ ScalableDimension, ScheduledActions = [] }) => [
      ScalableDimension.replace('dynamodb:', ''),
      ScheduledActions.map((action) => ({
        name: action.ScheduledActionName,
        schedule: action.Schedule,
        limits: [action.ScalableTargetAction.MinCapacity, action.ScalableTargetAction.MaxCapacity],
        ...(action.Timezone === undefined ? {} : { timezone: action.Timezone }),
      })),
    ]),
  );
}

function scalableTargets(stack: Stack): ScalableTargetProperties[] {
  return resourcesOf(stack, 'AWS::ApplicationAutoScaling::ScalableTarget', '');
}

interface ScalableTargetProperties {
  readonly ScalableDimension: string;
  readonly MinCapacity: number;
  readonly MaxCapacity: number;
  readonly ScheduledActions?: {
    readonly ScheduledActionName: string;
    readonly Schedule: string;
    readonly Timezone?: string;
    readonly ScalableTargetAction: { readonly MinCapacity: number; readonly MaxCapacity: number };
  }[];
}

interface ScalingPolicyProperties {
  readonly TargetTrackingScalingPolicyConfiguration: {
    readonly TargetValue: number;
    readonly PredefinedMetricSpecification: { readonly PredefinedMetricType: string };
  };
}
