import { localArn } from '../../app/identity.ts';
import type { LocalResource } from '../../app/resources/model.ts';
import { functionDefinition } from '../../lambda/function-definition.ts';
import { functionNameOf } from '../../lambda/function-name.ts';
import { periodOfRate } from '../scheduler/expression.ts';
import { type EventTarget, isPlayedTarget } from './buses.ts';

interface RuleProperties {
  readonly EventBusName?: string;
  readonly EventPattern?: object;
  readonly ScheduleExpression?: string;
  readonly State?: string;
  readonly Targets?: readonly (EventTarget & { readonly Input?: string })[];
}

/** A rule that invokes functions at a rate. */
export interface RateRule {
  readonly arn: string;
  readonly periodMs: number;
  readonly targets: readonly { readonly functionName: string; readonly input: string | undefined }[];
}

/** Whether this runtime can run it: events of a declared bus to queues, or functions of the app at a rate. */
export function isRunnableRule({ properties }: LocalResource, resources: readonly LocalResource[]): boolean {
  const {
    EventBusName: bus,
    EventPattern: pattern,
    ScheduleExpression: expression,
    Targets: targets = [],
  } = properties as RuleProperties;
  if (pattern !== undefined && expression !== undefined) return false;
  return pattern === undefined
    ? periodOfRate(expression ?? '') !== undefined &&
        targets.every((target) => invokesFunction(target, resources))
    : isDeclared(bus, resources) && targets.every(isPlayedTarget);
}

/** The rules that send matching events to queues, with the properties that PutRule and PutTargets take. */
export function patternRules(resources: readonly LocalResource[]): (RuleProperties & { Name: string })[] {
  return resources
    .filter(({ type, properties }) => type === 'AWS::Events::Rule' && 'EventPattern' in properties)
    .map(({ name, properties }) => ({ ...(properties as RuleProperties), Name: name }));
}

/** The rules with a rate that are enabled. */
export function rateRules(resources: readonly LocalResource[]): RateRule[] {
  return resources.flatMap(({ type, name, properties }) => {
    const {
      ScheduleExpression: expression = '',
      State: state,
      Targets: targets = [],
    } = properties as RuleProperties;
    const periodMs = periodOfRate(expression);
    if (type !== 'AWS::Events::Rule' || periodMs === undefined || state === 'DISABLED') return [];
    const invocations = targets.map(({ Arn: arn, Input: input }) => ({
      functionName: functionNameOf(arn),
      input,
    }));
    return [{ arn: localArn('events', `rule/${name}`), periodMs, targets: invocations }];
  });
}

function isDeclared(busNameOrArn = 'default', resources: readonly LocalResource[]): boolean {
  const busName = busNameOrArn.split('event-bus/').at(-1);
  return (
    busName === 'default' ||
    resources.some(({ type, name }) => type === 'AWS::Events::EventBus' && name === busName)
  );
}

function invokesFunction(target: EventTarget, resources: readonly LocalResource[]): boolean {
  const isFunctionHere = resources.some(
    (resource) =>
      target.Arn.startsWith(localArn('lambda', 'function:')) &&
      functionNameOf(target.Arn) === resource.name &&
      functionDefinition(resource) !== undefined,
  );
  return isFunctionHere && !('InputPath' in target) && !('InputTransformer' in target);
}
