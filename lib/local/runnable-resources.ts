import { isEventSource, isSqsEventSource } from './event-source-definition.ts';
import { isFunction, isRunnable } from './function-definition.ts';
import type { LocalResource, ResourceModel, ResourcesNotRun } from './resource-model.ts';

/** Moves the functions and event sources of a kind that this runtime cannot run to those that are named as not run. */
export function runnableResources({ resources, notRun, outputs }: ResourceModel): ResourceModel {
  const beyond = resources.filter(
    (resource) =>
      (isFunction(resource) && !isRunnable(resource)) ||
      (isEventSource(resource) && !isSqsEventSource(resource)),
  );
  return {
    resources: resources.filter((resource) => !beyond.includes(resource)),
    notRun: [...notRun, ...beyond.map(named)],
    outputs,
  };
}

function named({ type, logicalId }: LocalResource): ResourcesNotRun {
  return { type, logicalIds: [logicalId] };
}
