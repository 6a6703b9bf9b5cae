import type { Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { MessageEndpoint, MessageScheduler, OutboxRelay, OutboxTable, SagaTable } from 'sagabox/constructs';
import { inlineFunction, unbundledStack } from '../support.ts';

/**
 * An app of endpoints that each send to five others and subscribe to two topics, with two tables, a scheduler
 * and a relay for all.
 */
export function appOfEndpoints(count: number): Stack {
  const stack = unbundledStack();
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
        function: inlineFunction(stack, `Function${index}`),
        endpointName: `endpoint-${index}`.padEnd(80, 'x'),
        ...shared,
      }),
  );
  for (const [index, endpoint] of endpoints.entries()) {
    const others = [1, 2, 3, 4, 5].map((step) => endpoints[(index + step) % count]);
    endpoint.sendsTo(...others.filter((other) => other !== undefined));
    for (const topic of topics) endpoint.subscribesTo(topic);
  }
  new OutboxRelay(stack, 'Relay', { endpoints });
  return stack;
}
