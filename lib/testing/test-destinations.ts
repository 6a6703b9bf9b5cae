import { limits } from '../core/limits.ts';
import {
  type Destination,
  type DestinationAddress,
  type Destinations,
  parseDestinations,
} from '../core/outgoing/destination.ts';
import { testDefaults } from './test-defaults.ts';

/** As the constructs make the queues of endpoints. */
const maxMessageSizeBytes = limits.messageBytes;

/**
 * Every destination by any name, or the given ones, the endpoint itself and the sender of the messages.
 *
 * @throws SagaboxError `Configuration` for a queue URL that is none
 */
export function testDestinations(
  endpoint: string,
  given: readonly string[] | Readonly<Record<string, DestinationAddress>> | undefined,
): Destinations {
  if (given === undefined) return new AnyDestination();
  const always = urlsByName([endpoint, testDefaults.sender]);
  const urls = isList(given) ? urlsByName(given) : given;
  return parseDestinations({ ...always, ...urls }, "option 'destinations'");
}

class AnyDestination extends Map<string, Destination> {
  override get(name: string): Destination {
    const queueUrl = queueUrlOf(name);
    return { kind: 'queue', name, queueUrl, fifo: queueUrl.endsWith('.fifo'), maxMessageSizeBytes };
  }
}

function urlsByName(names: readonly string[]): Record<string, DestinationAddress> {
  return Object.fromEntries(names.map((name) => [name, { address: queueUrlOf(name), maxMessageSizeBytes }]));
}

function queueUrlOf(name: string): string {
  const { region, accountId } = testDefaults;
  return `https://sqs.${region}.amazonaws.com/${accountId}/${encodeURIComponent(name)}`;
}

function isList(
  given: readonly string[] | Readonly<Record<string, DestinationAddress>>,
): given is readonly string[] {
  return Array.isArray(given);
}
