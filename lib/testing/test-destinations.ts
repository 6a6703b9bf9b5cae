import { limits } from '../core/limits.ts';
import {
  type Destination,
  type DestinationAddress,
  type Destinations,
  parseDestinations,
} from '../core/outgoing/destination.ts';
import { testDefaults } from './test-defaults.ts';

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
  const named = Array.isArray(given) ? urlsByName(given) : given;
  const always = urlsByName([endpoint, testDefaults.sender]);
  return parseDestinations({ ...always, ...named }, "option 'destinations'");
}

class AnyDestination extends Map<string, Destination> {
  override get(name: string): Destination | undefined {
    return parseDestinations(urlsByName([name]), '').get(name);
  }
}

/** Of queues as the constructs make them. */
function urlsByName(names: readonly string[]): Record<string, DestinationAddress> {
  const maxMessageSizeBytes = limits.messageBytes;
  return Object.fromEntries(names.map((name) => [name, { address: queueUrlOf(name), maxMessageSizeBytes }]));
}

function queueUrlOf(name: string): string {
  const { region, accountId } = testDefaults;
  return `https://sqs.${region}.amazonaws.com/${accountId}/${encodeURIComponent(name)}`;
}
