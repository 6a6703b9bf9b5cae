import { isRunnableRule } from '../../events/bridge/rule-definition.ts';
import { isSqsEventSource } from '../../lambda/event-source-definition.ts';
import { functionDefinition } from '../../lambda/function-definition.ts';
import { isInlinedParameter } from '../../lambda/inlined-settings.ts';
import { hasOtherSubscriptions, isRunnableSubscription } from '../../provision/topics.ts';
import { isStreamMapping, streamSettingsNotPlayed } from '../../streams/stream-mapping.ts';
import type { LocalResource, ResourceModel, ResourcesNotRun } from './model.ts';

/** Of each type that this runtime runs in part: whether it can run the resource. */
const isRunnable: Readonly<
  Record<string, (resource: LocalResource, all: readonly LocalResource[]) => boolean>
> = {
  'AWS::Lambda::Function': (resource) => functionDefinition(resource) !== undefined,
  'AWS::Lambda::EventSourceMapping': (resource, all) =>
    isSqsEventSource(resource, all) || isStreamMapping(resource, all),
  'AWS::SNS::Subscription': isRunnableSubscription,
  'AWS::Events::Rule': isRunnableRule,
  'AWS::SSM::Parameter': isInlinedParameter,
};

/** Moves the resources that this runtime cannot run, of types that it runs, to `notRun`. */
export function runnableResources({ resources, notRun, outputs }: ResourceModel): ResourceModel {
  const { run = [], beyond = [] } = Object.groupBy(resources, (resource) =>
    (isRunnable[resource.type]?.(resource, resources) ?? true) ? 'run' : 'beyond',
  );
  const inPart = run.filter((resource) => hasOtherSubscriptions(resource, run));
  return {
    resources: run,
    notRun: [
      ...notRun,
      ...beyond.map((resource) => notRunAs(resource, resource.type)),
      ...inPart.map((topic) => notRunAs(topic, `${topic.type} Subscription`)),
      ...run.flatMap((mapping) =>
        streamSettingsNotPlayed(mapping).map((setting) => notRunAs(mapping, `${mapping.type} ${setting}`)),
      ),
    ],
    outputs,
  };
}

function notRunAs({ stack, logicalId }: LocalResource, type: string): ResourcesNotRun {
  return { stackName: stack.name, type, logicalIds: [logicalId] };
}
