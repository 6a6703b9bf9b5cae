import { shortNames, variableOf } from '../../local/app/resources/named-resource.ts';
import type { LocalApp } from '../../local/index.ts';
import { errorQueueSetting } from '../../settings/endpoint.ts';

/** What people call functions and queues. */
export interface ResourceLabels {
  readonly functionLabel: (name: string) => string;
  readonly queueLabel: (name: string) => string;
  /** The name of the queue that takes the unrecoverable messages of a function. */
  readonly errorQueueOf: (functionName: string) => string | undefined;
}

export function resourceLabels(resources: LocalApp['resources']): ResourceLabels {
  const [functions, queues] = [shortNames(resources, 'function'), shortNames(resources, 'queue')];
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  return {
    functionLabel: (name) => functions.get(name) ?? name,
    queueLabel: (name) => queues.get(name) ?? name,
    errorQueueOf: (functionName) => {
      const resource = byName.get(functionName);
      return resource && variableOf(resource, errorQueueSetting.variable)?.split('/').at(-1);
    },
  };
}
