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
  for (const { name } of resources.filter(({ type }) => type === 'AWS::Events::EventBus')) {
    await act('CreateEventBus', name, { Name: name });
  }
  for (const { Name, EventPattern, Targets = [], ...rule } of patternRules(resources)) {
    const { EventBusName, State } = rule;
    await act('PutRule', Name, { Name, EventBusName, State, EventPattern: JSON.stringify(EventPattern) });
    await act('PutTargets', Name, { Rule: Name, EventBusName, Targets });
  }
  for (const { name } of resources.filter(({ type }) => type === 'AWS::Scheduler::ScheduleGroup')) {
    await provisioningCall(name, `${endpoint}/schedule-groups/${name}`, { method: 'POST', body: '{}' });
  }
}
