import { configurationError, type SagaboxError } from '../../kernel/errors/errors.ts';
import { describeValue } from '../../kernel/errors/thrown.ts';
import { limits } from '../../kernel/limits.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { longAddress, type ServiceLocation } from './service-location.ts';

export type Destination = QueueDestination | TopicDestination | EventBusDestination;

export interface QueueDestination {
  readonly kind: 'queue';
  readonly name: string;
  readonly queueUrl: string;
  readonly fifo: boolean;
  /** @default 262144 */
  readonly maxMessageSizeBytes?: number;
}

export interface TopicDestination {
  readonly kind: 'topic';
  readonly name: string;
  readonly topicArn: string;
  readonly fifo: boolean;
  /** @default 262144 */
  readonly maxMessageSizeBytes?: number;
}

export interface EventBusDestination {
  readonly kind: 'eventBus';
  readonly name: string;
  readonly eventBusArn: string;
}

/** The address of a destination: a queue URL, or the ARN of an SNS topic or an event bus. */
export type DestinationAddress = string | SizedAddress;

/** The address of a queue or topic whose largest message is not one of 256 KiB. */
export interface SizedAddress {
  readonly address: string;
  /**
   * The `MaximumMessageSize` of the queue or topic, 1,024 to 1,048,576 bytes. A message over it, with its
   * attributes, is refused by `send`, or its body goes to the claim check bucket.
   *
   * @default 262144
   */
  readonly maxMessageSizeBytes?: number;
}

export type Destinations = ReadonlyMap<string, Destination>;

/**
 * @param setting the source of the addresses, for the error
 * @param location the location of short addresses, as the constructs write them into the environment; without
 *   it all addresses are URLs and ARNs
 */
export function parseDestinations(
  addresses: unknown,
  setting: string,
  location?: ServiceLocation,
): Destinations {
  const refusal = (problem: string) => configurationError(setting, problem, ADDRESSES_REMEDY);
  if (!isJsonObject(addresses)) throw refusal('it is not an object');
  const destinations = new Map<string, Destination>();
  for (const [name, address] of Object.entries(addresses)) {
    const destination = parseDestination(name, address, (short) => longAddress(short, location));
    if (destination === undefined) throw refusal(`the address of '${name}' is ${describeValue(address)}`);
    destinations.set(name, destination);
  }
  return destinations;
}

/** Returns a shared destination name, qualified by its endpoint: `#` is in no endpoint's name. */
export function ownDestinationName(endpoint: string, name: string): string {
  return `${endpoint}#${name}`;
}

/** Returns the destinations of an endpoint by its own names, where several endpoints share them. */
export function destinationsOfEndpoint(shared: Destinations, endpoint: string | undefined): Destinations {
  if (endpoint === undefined) return shared;
  const prefix = ownDestinationName(endpoint, '');
  const own = [...shared].filter(([name]) => name.startsWith(prefix));
  if (own.length === 0) return shared;
  const renamed = own.map(([qualified, destination]) => {
    const name = qualified.slice(prefix.length);
    return [name, { ...destination, name }] as const;
  });
  return new Map([...shared, ...renamed]);
}

const ADDRESSES_REMEDY =
  'It maps destination names to queue URLs, topic ARNs or event bus ARNs, ' +
  'as in { "billing": "https://…/billing" }, or to { address, maxMessageSizeBytes } ' +
  `of a queue or topic that takes ${limits.minMessageBytes} to ${limits.messageBytes} bytes`;

/** Returns the most bytes that the destination takes of a message, with its attributes or headers. */
export function maxMessageSizeOf(destination: Destination): number {
  if (destination.kind === 'eventBus') return limits.eventBytes;
  const { kind, maxMessageSizeBytes } = destination;
  return (
    maxMessageSizeBytes ?? (kind === 'topic' ? limits.topicMessageBytes : limits.unknownQueueMessageBytes)
  );
}

export function isFifo(destination: Destination): boolean {
  return destination.kind !== 'eventBus' && destination.fifo;
}

/** Returns the destination with the first of all names of a queue, topic or event bus. */
export function firstOf(destination: Destination, destinations: Destinations): Destination {
  const address = addressOf(destination);
  for (const other of destinations.values()) if (addressOf(other) === address) return other;
  return destination;
}

export function addressOf(destination: Destination): string {
  if (destination.kind === 'queue') return destination.queueUrl;
  return destination.kind === 'topic' ? destination.topicArn : destination.eventBusArn;
}

export function unknownDestination(name: string, known: Destinations): SagaboxError<'Configuration'> {
  return configurationError(
    `destination '${name}'`,
    `it is not configured (known: ${[...known.keys()].join(', ') || 'none'})`,
    "Add it with the construct's sendsTo, in SAGABOX_DESTINATIONS, or in the option 'destinations'",
  );
}

function parseDestination(
  name: string,
  given: unknown,
  expand: (address: string) => string | undefined,
): Destination | undefined {
  if (typeof given === 'string') return parseAddress(name, expand(given));
  const { address, maxMessageSizeBytes, ...others } = Object(given) as Partial<
    Record<keyof SizedAddress, unknown>
  >;
  if (Object.keys(others).length > 0) return undefined;
  const destination = typeof address === 'string' ? parseAddress(name, expand(address)) : undefined;
  if (destination === undefined || maxMessageSizeBytes === undefined) return destination;
  // The size of an event is the same on every bus.
  if (destination.kind === 'eventBus' || !isMessageSize(maxMessageSizeBytes)) return undefined;
  return { ...destination, maxMessageSizeBytes };
}

function isMessageSize(bytes: unknown): bytes is number {
  return (
    Number.isInteger(bytes) && Number(bytes) >= limits.minMessageBytes && Number(bytes) <= limits.messageBytes
  );
}

function parseAddress(name: string, address: string | undefined): Destination | undefined {
  if (address === undefined) return undefined;
  const fifo = address.endsWith('.fifo');
  const [prefix, , service, , , resource = ''] = address.split(':');
  if (prefix === 'arn') {
    if (service === 'sns' && resource !== '') return { kind: 'topic', name, topicArn: address, fifo };
    const isBus = service === 'events' && resource.startsWith('event-bus/');
    return isBus ? { kind: 'eventBus', name, eventBusArn: address } : undefined;
  }
  return /^https?:/.test(address) && URL.canParse(address)
    ? { kind: 'queue', name, queueUrl: address, fifo }
    : undefined;
}
