import { eventBridgeService } from '../../adapters/eventbridge/send-service.ts';
import { InFlight } from '../../adapters/shared/in-flight.ts';
import type { SendService } from '../../adapters/shared/send-service.ts';
import { Sender } from '../../adapters/shared/sender.ts';
import { snsService } from '../../adapters/sns/send-service.ts';
import { sqsService } from '../../adapters/sqs/send-service.ts';
import type { Destination } from '../../core/outgoing/destination.ts';
import type { Transport } from '../../ports/dispatcher.ts';
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
