import { localArn } from '../../app/identity.ts';
import type { LocalResource } from '../../app/resources/model.ts';
import type { FunctionDefinition } from '../../lambda/function-definition.ts';
import { periodOfRate } from '../scheduler/expression.ts';
import { type EventTarget, isPlayedTarget } from './buses.ts';

interface RuleProperties {
  readonly EventBusName?: string;
  readonly EventPattern?: object;
  readonly ScheduleExpression?: string;
  readonly State?: string;
  readonly Targets?: readonly (EventTarget & { readonly Input?: string })[];
}

/** A rule that sends matching events to queues. */
export interface PatternRule {
  readonly name: string;
  readonly eventBusName: string | undefined;
  readonly pattern: object;
  readonly state: string;
  readonly targets: readonly EventTarget[];
}

/** A rule that invokes functions at a rate. */
export interface RateRule {
  readonly arn: string;
  readonly periodMs: number;
  readonly targets: readonly { readonly functionName: string; readonly input: string | undefined }[];
}

export function isRule({ type }: LocalResource): boolean {
  return type === 'AWS::Events::Rule';
}

/** Whether this runtime can run it: events of a declared bus to queues, or functions of the app at a rate. */
export function isRunnableRule(rule: LocalResource, resources: readonly LocalResource[]): boolean {
  const { EventPattern: pattern, ScheduleExpression: expression, Targets: targets = [] } = propertiesOf(rule);
  if (pattern !== undefined && expression !== undefined) return false;
  return pattern === undefined
    ? periodOfRate(expression ?? '') !== undefined &&
        targets.every((target) => invokesFunction(target, resources))
    : isOnDeclaredBus(rule, resources) && targets.every(isPlayedTarget);
}

export function patternRules(resources: readonly LocalResource[]): PatternRule[] {
  return resources.filter(isRule).flatMap((rule) => {
    const {
      EventBusName: eventBusName,
      EventPattern: pattern,
      State: state,
      Targets: targets = [],
    } = propertiesOf(rule);
    return pattern === undefined
      ? []
      : [{ name: rule.name, eventBusName, pattern, state: state ?? 'ENABLED', targets }];
  });
}

/** Those that are enabled. */
export function rateRules(
  resources: readonly LocalResource[],
  functions: readonly FunctionDefinition[],
): RateRule[] {
  return resources.filter(isRule).flatMap((rule) => {
    const { ScheduleExpression: expression = '', State: state, Targets: targets = [] } = propertiesOf(rule);
    const periodMs = periodOfRate(expression);
    if (periodMs === undefined || state === 'DISABLED') return [];
    const invocations = targets.flatMap(({ Arn: arn, Input: input }) => {
      const name = functions.find((definition) => arn === functionArn(definition))?.name;
      return name === undefined ? [] : [{ functionName: name, input }];
    });
    return [{ arn: localArn('events', `rule/${rule.name}`), periodMs, targets: invocations }];
  });
}

function isOnDeclaredBus(rule: LocalResource, resources: readonly LocalResource[]): boolean {
  const busName = propertiesOf(rule).EventBusName?.split('event-bus/').at(-1) ?? 'default';
  return (
    busName === 'default' ||
    resources.some(({ type, name }) => type === 'AWS::Events::EventBus' && name === busName)
  );
}

function invokesFunction(target: EventTarget, resources: readonly LocalResource[]): boolean {
  const isFunctionHere = resources.some(
    (resource) => resource.type === 'AWS::Lambda::Function' && target.Arn === functionArn(resource),
  );
  return isFunctionHere && !('InputPath' in target) && !('InputTransformer' in target);
}

function functionArn({ name }: { readonly name: string }): string {
  return localArn('lambda', `function:${name}`);
}

function propertiesOf({ properties }: LocalResource): RuleProperties {
  return properties as RuleProperties;
}
