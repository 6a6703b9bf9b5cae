import type { LocalResource } from '../app/resources/model.ts';
import { patternRules } from '../events/bridge/rule-definition.ts';
import { provisioningCall } from './call.ts';

/**
 * Creates the declared event buses, the rules that send events to queues, and the schedule groups.
 *
 * @throws SagaboxError `Configuration` for an event pattern that the local EventBridge does not play.
 */
export async function provisionEvents(endpoint: string, resources: readonly LocalResource[]): Promise<void> {
  const act = (operation: string, name: string, request: object): Promise<void> =>
    provisioningCall(name, endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AWSEvents.${operation}` },
      body: JSON.stringify(request),
    });
  for (const { name } of ofType(resources, 'AWS::Events::EventBus')) {
    await act('CreateEventBus', name, { Name: name });
  }
  for (const { name, eventBusName, pattern, state, targets } of patternRules(resources)) {
    const bus = eventBusName === undefined ? {} : { EventBusName: eventBusName };
    await act('PutRule', name, { ...bus, Name: name, State: state, EventPattern: JSON.stringify(pattern) });
    await act('PutTargets', name, { ...bus, Rule: name, Targets: targets });
  }
  for (const { name } of ofType(resources, 'AWS::Scheduler::ScheduleGroup')) {
    await provisioningCall(name, `${endpoint}/schedule-groups/${name}`, { method: 'POST', body: '{}' });
  }
}

function ofType(resources: readonly LocalResource[], type: string): LocalResource[] {
  return resources.filter((resource) => resource.type === type);
}
