import { isRunnableRule } from '../../events/bridge/rule-definition.ts';
import { isSqsEventSource } from '../../lambda/event-source-definition.ts';
import { functionDefinition } from '../../lambda/function-definition.ts';
import { hasOtherSubscriptions, isQueueSubscription } from '../../provision/topics.ts';
import type { LocalResource, ResourceModel } from './model.ts';

/** Of each type that this runtime runs in part: whether it can run the resource. */
const isRunnable: Readonly<
  Record<string, (resource: LocalResource, all: readonly LocalResource[]) => boolean>
> = {
  'AWS::Lambda::Function': (resource) => functionDefinition(resource) !== undefined,
  'AWS::Lambda::EventSourceMapping': isSqsEventSource,
  'AWS::SNS::Subscription': isQueueSubscription,
  'AWS::Events::Rule': isRunnableRule,
};

/** Moves the resources that this runtime cannot run, of types that it runs, to `notRun`. */
export function runnableResources({ resources, notRun, outputs }: ResourceModel): ResourceModel {
  const { run = [], beyond = [] } = Object.groupBy(resources, (resource) =>
    (isRunnable[resource.type]?.(resource, resources) ?? true) ? 'run' : 'beyond',
  );
  const inPart = run.filter(hasOtherSubscriptions);
  return {
    resources: run,
    notRun: [
      ...notRun,
      ...beyond.map(({ type, logicalId }) => ({ type, logicalIds: [logicalId] })),
      ...inPart.map(({ type, logicalId }) => ({ type: `${type} Subscription`, logicalIds: [logicalId] })),
    ],
    outputs,
  };
}
