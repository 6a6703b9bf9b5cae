import { EventBridgeTransport } from '../adapters/eventbridge/transport.ts';
import { EventBridgeScheduler } from '../adapters/scheduler/scheduler.ts';
import { SnsTransport } from '../adapters/sns/transport.ts';
import type { Destinations } from '../core/outgoing/destination.ts';
import { RoutedDispatcher } from '../flow/routed-dispatcher.ts';
import type { Clock, Dispatcher, Scheduler, Transport } from '../ports.ts';
import { clientLoader } from './optional-clients.ts';
import type { EndpointOptions } from './options.ts';
import { schedulerOf } from './sending-settings.ts';
import type { Environment } from './settings.ts';

export interface DispatcherParts {
  readonly endpoint: string;
  readonly destinations: Destinations;
  readonly queues: Transport;
  readonly clock: Clock;
}

/**
 * Every way out; the packages of SNS, EventBridge and Scheduler are loaded with the first message that takes
 * it.
 */
export function awsDispatcher(
  options: EndpointOptions,
  environment: Environment,
  { endpoint, destinations, queues, clock }: DispatcherParts,
): Dispatcher {
  const topics = new SnsTransport({ loadClient: clientLoader('snsClient', options), destinations, clock });
  const loadClient = clientLoader('eventBridgeClient', options);
  const eventBuses = new EventBridgeTransport({ endpoint, loadClient, destinations, clock });
  return new RoutedDispatcher({
    destinations,
    transports: { queue: queues, topic: topics, eventBus: eventBuses },
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
