import { SagaboxError } from './errors.ts';
import { valueText } from './thrown.ts';

/** Where messages can be sent, under a name. */
export type Destination = QueueDestination | TopicDestination | EventBusDestination;

export interface QueueDestination {
  readonly kind: 'queue';
  readonly name: string;
  readonly queueUrl: string;
  readonly fifo: boolean;
}

export interface TopicDestination {
  readonly kind: 'topic';
  readonly name: string;
  readonly topicArn: string;
  readonly fifo: boolean;
}

export interface EventBusDestination {
  readonly kind: 'eventBus';
  readonly name: string;
  readonly eventBusArn: string;
}

export type Destinations = ReadonlyMap<string, Destination>;

/**
 * @param addresses by name: queue URLs, ARNs of SNS topics, or ARNs of event buses
 * @param setting where they come from, for the error
 */
export function parseDestinations(addresses: unknown, setting: string): Destinations {
  const problem = (detail: string) =>
    new SagaboxError('Configuration', {
      setting,
      problem: detail,
      remedy:
        'It maps destination names to queue URLs, topic ARNs or event bus ARNs, as in { "billing": "https://…/billing" }',
    });
  if (typeof addresses !== 'object' || addresses === null || Array.isArray(addresses)) {
    throw problem('it is not an object');
  }
  const destinations = new Map<string, Destination>();
  for (const [name, address] of Object.entries(addresses)) {
    const destination = typeof address === 'string' ? parseAddress(name, address) : undefined;
    if (destination === undefined) throw problem(`the address of '${name}' is ${valueText(address)}`);
    destinations.set(name, destination);
  }
  return destinations;
}

export function isFifo(destination: Destination): boolean {
  return destination.kind !== 'eventBus' && destination.fifo;
}

/**
 * The first name that goes to the same queue or topic: messages have one order there, whatever names they were sent to. A name
 * that nobody knows is its own.
 */
export function firstNameOf(name: string, destinations: Destinations): string {
  const address = addressOf(destinations.get(name));
  for (const [other, destination] of destinations) {
    if (address !== undefined && addressOf(destination) === address) return other;
  }
  return name;
}

function addressOf(destination: Destination | undefined): string | undefined {
  if (destination?.kind === 'queue') return destination.queueUrl;
  return destination?.kind === 'topic' ? destination.topicArn : destination?.eventBusArn;
}

export function unknownDestination(name: string, known: Destinations): SagaboxError<'Configuration'> {
  const names = [...known.keys()];
  return new SagaboxError('Configuration', {
    setting: `destination '${name}'`,
    problem: `it is not configured (known: ${names.length > 0 ? names.join(', ') : 'none'})`,
    remedy: "Add it with the construct's sendsTo, in SAGABOX_DESTINATIONS, or in the option 'destinations'",
  });
}

function parseAddress(name: string, address: string): Destination | undefined {
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
