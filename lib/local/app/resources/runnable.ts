import { isRule, isRunnableRule } from '../../events/bridge/rule-definition.ts';
import { isEventSource, isSqsEventSource } from '../../lambda/event-source-definition.ts';
import { isFunction, isRunnable } from '../../lambda/function-definition.ts';
import { hasOtherSubscriptions, isQueueSubscription, isSubscription } from '../../provision/topics.ts';
import type { LocalResource, ResourceModel, ResourcesNotRun } from './model.ts';

/** Moves the resources that this runtime cannot run, of types that it runs, to `notRun`. */
export function runnableResources({ resources, notRun, outputs }: ResourceModel): ResourceModel {
  const withFunctions = resources.filter((resource) => !isFunction(resource) || isRunnable(resource));
  const runnable = withFunctions.filter(
    (resource) =>
      (!isEventSource(resource) || isSqsEventSource(resource)) &&
      (!isSubscription(resource) || isQueueSubscription(resource)) &&
      (!isRule(resource) || isRunnableRule(resource, withFunctions)),
  );
  const beyond = resources.filter((resource) => !runnable.includes(resource));
  const inPart = runnable
    .filter(hasOtherSubscriptions)
    .map(({ type, logicalId }) => ({ type: `${type} Subscription`, logicalIds: [logicalId] }));
  return { resources: runnable, notRun: [...notRun, ...beyond.map(named), ...inPart], outputs };
}

function named({ type, logicalId }: LocalResource): ResourcesNotRun {
  return { type, logicalIds: [logicalId] };
}
