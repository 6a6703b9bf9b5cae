import { InFlight } from '../../kernel/calls/in-flight.ts';
import type { Destination } from '../../messages/destinations/destination.ts';
import type { Transport } from '../../sending/dispatcher.ts';
import { eventBridgeService } from '../../sending/transports/send-service.eventbridge.ts';
import { snsService } from '../../sending/transports/send-service.sns.ts';
import { sqsService } from '../../sending/transports/send-service.sqs.ts';
import type { SendService } from '../../sending/transports/send-service.ts';
import { Sender } from '../../sending/transports/sender.ts';
import { clientLoader, defaultSqsClient } from '../clients.ts';
import { systemClock } from '../system-clock.ts';
import type { ProducerOptions } from './producer-options.ts';
import type { ProducerSettings } from './producer-settings.ts';

/** Makes a transport as for handlers' messages: batched, and with messages that were not taken sent again. */
export function producerTransport(
  { kind }: Destination,
  options: ProducerOptions,
  { endpoint = '' }: ProducerSettings,
): Transport {
  const transport = <To extends Destination>(service: SendService<To>) =>
    new Sender({ service, clock: systemClock, commits: new InFlight() });
  if (kind === 'queue') return transport(sqsService(options.sqsClient ?? defaultSqsClient()));
  if (kind === 'topic') return transport(snsService(clientLoader('snsClient', options)));
  return transport(eventBridgeService(endpoint, clientLoader('eventBridgeClient', options)));
}
