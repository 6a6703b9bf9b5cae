import { eventBridgeService } from '../adapters/eventbridge/send-service.ts';
import { EventBridgeScheduler } from '../adapters/scheduler/scheduler.ts';
import { BatchTransport } from '../adapters/shared/batch-transport.ts';
import type { InFlight } from '../adapters/shared/in-flight.ts';
import { SendBatcher } from '../adapters/shared/send-batcher.ts';
import { snsService } from '../adapters/sns/send-service.ts';
import { sharedQueueBatcher } from '../adapters/sqs/send-service.ts';
import type { Destination, Destinations } from '../core/outgoing/destination.ts';
import { RoutedDispatcher } from '../flow/routed-dispatcher.ts';
import type { Clock, Dispatcher, Scheduler } from '../ports.ts';
import { defaultSqsClient } from './clients.ts';
import { clientLoader } from './optional-clients.ts';
import type { EndpointOptions } from './options.ts';
import { schedulerOf } from './sending-settings.ts';
import type { Environment } from './settings.ts';

export interface DispatcherParts {
  readonly endpoint: string;
  readonly destinations: Destinations;
  /** Commits of messages that have something to send. */
  readonly commits: InFlight;
  readonly clock: Clock;
}

/**
 * Every way out; the packages of SNS, EventBridge and Scheduler are loaded with the first message that takes
 * it.
 */
export function awsDispatcher(
  options: EndpointOptions,
  environment: Environment,
  { endpoint, destinations, commits, clock }: DispatcherParts,
): Dispatcher {
  const transportOf = <To extends Destination>(batcher: SendBatcher<To>) =>
    new BatchTransport({ batcher, destinations, clock });
  const queues = sharedQueueBatcher(options.sqsClient ?? defaultSqsClient(), clock, commits);
  const topics = snsService(clientLoader('snsClient', options));
  const eventBuses = eventBridgeService(endpoint, clientLoader('eventBridgeClient', options));
  return new RoutedDispatcher({
    destinations,
    transports: {
      queue: transportOf(queues),
      topic: transportOf(new SendBatcher(topics, clock, commits)),
      eventBus: transportOf(new SendBatcher(eventBuses, clock, commits)),
    },
    scheduler: awsScheduler(options, environment, clock),
    clock,
  });
}

function awsScheduler(
  options: EndpointOptions,
  environment: Environment,
  clock: Clock,
): Scheduler | undefined {
  const settings = schedulerOf(options, environment);
  if (settings === undefined) return undefined;
  return new EventBridgeScheduler({
    ...settings,
    loadClient: clientLoader('schedulerClient', options),
    clock,
  });
}
