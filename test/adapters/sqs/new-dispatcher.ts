import type { SQSClient } from '@aws-sdk/client-sqs';
import { InFlight } from '../../../lib/adapters/shared/in-flight.ts';
import { SqsDispatcher } from '../../../lib/adapters/sqs/dispatcher.ts';
import { SendBatcher } from '../../../lib/adapters/sqs/send-batcher.ts';
import { parseDestinations } from '../../../lib/core/outgoing/destination.ts';
import type { MovingClock } from '../../support/moving-clock.ts';

/** With a batcher of its own. */
export function newDispatcher(
  client: SQSClient,
  clock: MovingClock,
  queueUrls: Record<string, string>,
): SqsDispatcher {
  const sends = new SendBatcher(client, clock, new InFlight());
  const destinations = parseDestinations(queueUrls, 'test');
  return new SqsDispatcher({ random: () => 0.5, sends, destinations, clock });
}
