import { environmentVariables } from '../../core/environment-variables.ts';
import { endpointOf, variableOf } from '../../local/app/resources/named-resource.ts';
import type { LocalApp } from '../../local/index.ts';
import { eventSourceDefinitions } from '../../local/lambda/event-source-definition.ts';

/** What people call functions and queues: by the endpoint that they serve or feed, if there is one. */
export interface ResourceLabels {
  readonly functionLabel: (name: string) => string;
  readonly queueLabel: (name: string) => string;
  /** The name of the queue that takes the unrecoverable messages of a function. */
  readonly errorQueueOf: (functionName: string) => string | undefined;
}

export function resourceLabels(resources: LocalApp['resources']): ResourceLabels {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  const endpointOfFunction = (name: string): string | undefined => {
    const resource = byName.get(name);
    return resource && endpointOf(resource);
  };
  const feeds = eventSourceDefinitions(resources);
  const fed = new Map(
    feeds.map(({ queueName, functionName }) => [queueName, endpointOfFunction(functionName)]),
  );
  return {
    functionLabel: (name) => endpointOfFunction(name) ?? name,
    queueLabel: (name) => fed.get(name) ?? name,
    errorQueueOf: (functionName) => {
      const resource = byName.get(functionName);
      return resource && variableOf(resource, environmentVariables.errorQueue)?.split('/').at(-1);
    },
  };
}
