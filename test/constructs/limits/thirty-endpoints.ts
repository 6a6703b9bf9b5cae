import type { Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import {
  MessageEndpoint,
  type MessageEndpointProps,
  MessageScheduler,
  OutboxRelay,
  OutboxTable,
  SagaTable,
} from 'sagabox/constructs';

/** Either a function, or the entry of one. */
type Handler = Pick<MessageEndpointProps, 'function'> | Pick<MessageEndpointProps, 'entry'>;

/**
 * Endpoints that each send to five others and subscribe to two topics, with two tables, a scheduler
 * and a relay for all.
 */
export function addEndpoints(stack: Stack, count: number, handlerOf: (index: number) => Handler): void {
  const shared = {
    sagaTable: new SagaTable(stack, 'Sagas'),
    outboxTable: new OutboxTable(stack, 'Outbox'),
    scheduler: new MessageScheduler(stack, 'Scheduler'),
  };
  const topics = [new Topic(stack, 'Sales'), new Topic(stack, 'Stock')];
  const endpoints = Array.from(
    { length: count },
    (_, index) =>
      new MessageEndpoint(stack, `Endpoint${index}`, {
        ...handlerOf(index),
        endpointName: `endpoint-${index}`.padEnd(80, 'x'),
        ...shared,
      } as MessageEndpointProps),
  );
  for (const [index, endpoint] of endpoints.entries()) {
    const others = [1, 2, 3, 4, 5].map((step) => endpoints[(index + step) % count]);
    endpoint.sendsTo(...others.filter((other) => other !== undefined));
    for (const topic of topics) endpoint.subscribesTo(topic);
  }
  new OutboxRelay(stack, 'Relay', { endpoints });
}
