import { Stack } from 'aws-cdk-lib';
import { CfnEventBus, CfnRule } from 'aws-cdk-lib/aws-events';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import type { IConstruct } from 'constructs';
import { isKnown } from '../is-known.ts';
import { referenceTargets } from '../reference-targets.ts';

/** What the app tells of the ARN of a topic or rule. Account and region may be tokens. */
export interface SourceName {
  readonly account: string;
  readonly region: string;
  /** What follows the account in the ARN, such as 'shop-orders' or 'rule/shop-orders'. */
  readonly resource: string;
  /** Whether `resource` is no more than the beginning, because CloudFormation makes up the rest. */
  readonly isGenerated: boolean;
}

/** The name of a rule has 64 characters, and CloudFormation shortens the part of a long stack name in it. */
const LEAST_OF_STACK_NAME = 20;

/** @returns `undefined` for a name that is known only at deployment */
export function sourceName(source: IConstruct, arn: string): SourceName | undefined {
  const [, , , region = '', account = '', ...rest] = arn.startsWith('arn:') ? arn.split(':') : [];
  const resource = rest.join(':');
  if (resource !== '' && isKnown(resource)) return { account, region, resource, isGenerated: false };
  const { defaultChild } = source.node;
  if (defaultChild instanceof CfnTopic) return named(defaultChild, '', defaultChild.topicName);
  if (!(defaultChild instanceof CfnRule)) return undefined;
  const bus = busName(defaultChild);
  return bus === undefined ? undefined : named(defaultChild, `rule/${bus}`, defaultChild.name);
}

function named(
  resource: CfnTopic | CfnRule,
  prefix: string,
  name: string | undefined,
): SourceName | undefined {
  const { account, region, stackName } = Stack.of(resource);
  const known: unknown = Stack.of(resource).resolve(name);
  if (typeof known === 'string')
    return { account, region, resource: `${prefix}${known}`, isGenerated: false };
  if (known !== undefined || !isKnown(stackName)) return undefined;
  const isShortened = resource instanceof CfnRule && stackName.length > LEAST_OF_STACK_NAME;
  const start = isShortened ? stackName.slice(0, LEAST_OF_STACK_NAME) : `${stackName}-`;
  return { account, region, resource: `${prefix}${start}`, isGenerated: true };
}

/** What the name of a custom bus puts before that of its rules. */
function busName(rule: CfnRule): string | undefined {
  const { eventBusName = 'default', stack } = rule;
  const [bus] = referenceTargets(rule, eventBusName);
  const name: unknown = stack.resolve(bus instanceof CfnEventBus ? bus.name : eventBusName);
  if (typeof name !== 'string') return undefined;
  const last = name.split('/').at(-1);
  return last === 'default' ? '' : `${last}/`;
}
