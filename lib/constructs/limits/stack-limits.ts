import { CfnElement, type CfnResource, Stack } from 'aws-cdk-lib';
import { CfnGroup, CfnRole, CfnUser } from 'aws-cdk-lib/aws-iam';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnQueuePolicy } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { policyBytes, rendered, textBytes } from './rendered-size.ts';
import { resourcesOfStage } from './stack-resources.ts';

/**
 * What the services refuse at deploy, with names that are made at deployment counted as 80 characters.
 * Sources: "AWS CloudFormation quotas", "IAM and AWS STS quotas" (inline policies), "Lambda quotas"
 * (environment variables), "Amazon SQS policy quotas".
 */
export const stackLimits = {
  resources: 500,
  templateBytes: 1_048_576,
  roleInlinePolicyCharacters: 10_240,
  userInlinePolicyCharacters: 2_048,
  groupInlinePolicyCharacters: 5_120,
  environmentBytes: 4_096,
  queuePolicyStatements: 20,
  queuePolicyBytes: 8_192,
} as const;

/** By stack: what holds, or gets, resources of ours. */
const watched = new WeakMap<Stack, Set<IConstruct>>();

/**
 * Reports at synth what a stack holds over a limit: of the whole stack, and of the roles, functions and queues
 * at or below these constructs.
 */
export function watchLimits(...constructs: readonly (IConstruct | undefined)[]): void {
  for (const construct of constructs) {
    if (construct === undefined) continue;
    const stack = Stack.of(construct);
    const ours = watched.get(stack);
    if (ours !== undefined) {
      ours.add(construct);
      continue;
    }
    const first = new Set([construct]);
    watched.set(stack, first);
    stack.node.addValidation({ validate: () => stackViolations(stack, first) });
  }
}

function stackViolations(stack: Stack, ours: ReadonlySet<IConstruct>): string[] {
  const resources = resourcesOfStage(stack).byStack.get(stack) ?? [];
  const isOurs = ({ node }: IConstruct) => node.scopes.some((scope) => ours.has(scope));
  const problems = resources.filter(isOurs).map((resource) => resourceProblem(resource));
  return [countProblem(resources, ours), sizeProblem(stack), ...problems].filter(
    (problem) => problem !== undefined,
  );
}

function resourceProblem(resource: CfnResource): string | undefined {
  if (resource instanceof CfnRole || resource instanceof CfnUser || resource instanceof CfnGroup)
    return policiesProblem(resource);
  if (resource instanceof CfnFunction) return environmentProblem(resource);
  return resource instanceof CfnQueuePolicy ? queuePolicyProblem(resource) : undefined;
}

function countProblem(resources: readonly CfnResource[], ours: ReadonlySet<IConstruct>): string | undefined {
  if (resources.length <= stackLimits.resources) return undefined;
  const shares = new Map<string, number>();
  for (const { node } of resources) {
    const owner = node.scopes.find((scope) => ours.has(scope));
    if (owner !== undefined) shares.set(owner.node.path, (shares.get(owner.node.path) ?? 0) + 1);
  }
  const largest = [...shares].sort(([, one], [, other]) => other - one).slice(0, 3);
  const named = largest.map(([path, count]) => `${count} of them are of ${path}`).join(', ');
  return (
    `resources: the stack has ${resources.length}, and CloudFormation takes ${stackLimits.resources}; ${named}. ` +
    'Move endpoints to another stack, or let them share an OutboxRelay, a MessageScheduler and an error queue.'
  );
}

/** What CDK adds after the rules have run: a parameter and a rule that check the version of the bootstrap stack. */
const bootstrapCheckBytes = 780;

/** Resources, outputs, parameters and the rest; CDK indents templates by one space a level, unless told not to. */
function sizeProblem(stack: Stack): string | undefined {
  const template = templateOf(stack);
  const indent = isIndented(stack) ? 1 : undefined;
  const bytes = Buffer.byteLength(JSON.stringify(template, undefined, indent)) + bootstrapCheckBytes;
  if (bytes <= stackLimits.templateBytes) return undefined;
  return (
    `template: that of the stack has ${bytes} bytes, and CloudFormation takes ${stackLimits.templateBytes}. ` +
    'Move endpoints to another stack.'
  );
}

/** CDK keeps what the stack or the context says of it to itself. */
function isIndented(stack: Stack): boolean {
  const { _suppressTemplateIndentation: isSuppressed = false } = stack as unknown as TemplateSettings;
  return !isSuppressed;
}

interface TemplateSettings {
  readonly _suppressTemplateIndentation?: boolean;
}

/** By section. CDK's own way resolves each element twice. */
function templateOf(stack: Stack): Record<string, unknown> {
  const { description: Description, metadata: Metadata } = stack.templateOptions;
  const template: Record<string, unknown> = { Description, Metadata };
  for (const element of stack.node.findAll()) {
    if (!CfnElement.isCfnElement(element) || element.stack !== stack) continue;
    const fragment = stack.resolve((element as unknown as Fragment)._toCloudFormation()) ?? {};
    for (const [section, entries] of Object.entries(fragment))
      template[section] = isObject(entries) ? Object.assign(template[section] ?? {}, entries) : entries;
  }
  return template;
}

interface Fragment {
  _toCloudFormation(): object;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const throughARole = 'Grant to a role that they may assume';

/** Of all inline policies of a holder together, without white space. */
const policyHolders = {
  role: {
    max: stackLimits.roleInlinePolicyCharacters,
    remedy: 'Send to fewer destinations, or let endpoints of fewer destinations share it',
  },
  user: { max: stackLimits.userInlinePolicyCharacters, remedy: throughARole },
  group: { max: stackLimits.groupInlinePolicyCharacters, remedy: throughARole },
} as const;

function policiesProblem(holder: CfnRole | CfnUser | CfnGroup): string | undefined {
  const kind = holder instanceof CfnRole ? 'role' : holder instanceof CfnUser ? 'user' : 'group';
  const { max, remedy } = policyHolders[kind];
  const policies = resourcesOfStage(holder).policiesByHolder.get(holder) ?? [];
  const own = Array.isArray(holder.policies) ? holder.policies : [];
  const documents = [...policies, ...own] as readonly { readonly policyDocument: unknown }[];
  const characters = documents.reduce(
    (sum, { policyDocument }) => sum + policyBytes(holder, policyDocument),
    0,
  );
  if (characters <= max) return undefined;
  return (
    `${kind} '${holder.node.path}': its inline policies have ${characters} characters, and IAM takes ${max}. ` +
    `${remedy}.`
  );
}

function environmentProblem(handler: CfnFunction): string | undefined {
  const { environment } = handler;
  if (environment === undefined) return undefined;
  const { variables = {} } = rendered(handler, environment) as { readonly variables?: object };
  const bytes = textBytes(handler, variables);
  if (bytes <= stackLimits.environmentBytes) return undefined;
  return (
    `function '${handler.node.path}': its environment has ${bytes} bytes, and Lambda takes ` +
    `${stackLimits.environmentBytes}. Shorten the variables of your own, or read them from somewhere else.`
  );
}

function queuePolicyProblem(policy: CfnQueuePolicy): string | undefined {
  const document = rendered(policy, policy.policyDocument) as { readonly Statement?: unknown };
  const statements = [document.Statement ?? []].flat().length;
  const bytes = policyBytes(policy, document);
  const isSmall = bytes <= stackLimits.queuePolicyBytes;
  if (statements <= stackLimits.queuePolicyStatements && isSmall) return undefined;
  return (
    `queue policy '${policy.node.path}': it has ${statements} statements and ${bytes} bytes, and SQS takes ` +
    `${stackLimits.queuePolicyStatements} and ${stackLimits.queuePolicyBytes}. Subscribe to fewer topics and rules, allow ` +
    'a pattern of their names by sourcesByNamePattern, or add fewer statements of your own.'
  );
}
