import type { Clock } from '../../kernel/clock.ts';
import {
  type Destination,
  type Destinations,
  parseDestinations,
} from '../../messages/destinations/destination.ts';
import { isCancellation, type OutgoingMessage } from '../../messages/message.ts';
import { eventDetail, eventSource } from '../../messages/wire-format/event-detail.ts';
import { wireAttributes, wireBody } from '../../messages/wire-format/wire.ts';
import type { DispatchOptions } from '../../sending/dispatch-options.ts';
import type { Dispatcher } from '../../sending/dispatcher.ts';
import { RoutedDispatcher } from '../../sending/routed-dispatcher.ts';
import { MemoryScheduler } from '../memory/scheduler.ts';
import { queueAddresses, topicArn } from '../memory-flow.ts';
import { testDefaults } from '../test-defaults.ts';
import type { AppEndpoint, AppSession, TestAppOptions } from './app-options.ts';
import { subscriptions } from './subscriptions.ts';
import { type NewMessage, TestQueue } from './test-queue.ts';

/** The queues, topics, event buses and schedules between the endpoints of an app, in memory. */
export class Network {
  readonly destinations: Destinations;
  readonly queues: ReadonlyMap<string, TestQueue>;
  readonly scheduler = new MemoryScheduler();
  /** Sent to queues outside of the app. */
  readonly sentOutside: OutgoingMessage[] = [];
  readonly #endpoints: readonly AppEndpoint[];
  readonly #clock: Clock;
  #events = 0;

  constructor(
    endpoints: readonly AppEndpoint[],
    sessions: readonly AppSession[],
    options: TestAppOptions,
    clock: Clock,
  ) {
    this.#endpoints = endpoints;
    this.#clock = clock;
    let order = 0;
    const nextOrder = () => {
      order += 1;
      return order;
    };
    this.queues = new Map(
      endpoints.map(({ endpoint, fifo }) => [endpoint, new TestQueue(endpoint, fifo === true, nextOrder)]),
    );
    const outside = [testDefaults.sender, ...(options.destinations ?? [])];
    const buses = new Set(options.eventBuses);
    const published = [
      ...[...endpoints, ...sessions].flatMap(publishedTo),
      ...endpoints.flatMap((each) => Object.keys(subscriptions(each))),
    ];
    const { region, accountId } = testDefaults;
    const arnOf = (name: string) =>
      buses.has(name) ? `arn:aws:events:${region}:${accountId}:event-bus/${name}` : topicArn(name);
    const addresses = {
      ...Object.fromEntries(published.map((name) => [name, arnOf(name)])),
      ...queueAddresses(outside),
      ...queueAddresses(
        endpoints.map(({ endpoint }) => endpoint),
        (name) => this.queues.get(name)?.name ?? name,
      ),
    };
    this.destinations = parseDestinations(addresses, 'testApp');
  }

  /** @param sent takes what the endpoint has sent */
  dispatcherOf(endpoint: string, sent: OutgoingMessage[]): Dispatcher {
    const { destinations, scheduler } = this;
    const transport = (send: (message: OutgoingMessage) => void) => ({
      send: async (
        messages: readonly OutgoingMessage[],
        _to: Destination,
        { onTaken }: DispatchOptions = {},
      ) => {
        for (const message of messages) send(message);
        onTaken?.(messages.map(({ id }) => id));
      },
    });
    const publish = transport((message) => this.#publish(message, eventSource(endpoint), this.#newEventId()));
    const transports = {
      queue: transport((message) => this.#toQueue(message)),
      topic: publish,
      eventBus: publish,
    };
    const routed = new RoutedDispatcher({ destinations, transports, scheduler, clock: this.#clock });
    return {
      dispatch: async (operations, options) => {
        await routed.dispatch(operations, options);
        for (const operation of operations) if (!isCancellation(operation)) sent.push(operation);
      },
    };
  }

  /** Another one each time: EventBridge gives a message that is put twice two ids. */
  #newEventId(): string {
    this.#events += 1;
    return `event-${this.#events}`;
  }

  /** As a sender outside of the app does. */
  send(destination: string, message: NewMessage, delaySeconds?: number): void {
    this.queues.get(destination)?.put(message, this.#clock.now(), delaySeconds);
  }

  /** As a publisher outside of the app does. */
  publish(message: OutgoingMessage): void {
    this.#publish(message, testDefaults.sender, message.id);
  }

  /** Puts what schedules keep into its queue, if it is due. */
  deliverDue(): void {
    for (const { message } of this.scheduler.due(this.#clock.now())) this.#toQueue(message);
  }

  #toQueue(message: OutgoingMessage): void {
    const queue = this.queues.get(message.destination);
    if (queue) queue.put(asSent(message), this.#clock.now(), message.delaySeconds);
    else this.sentOutside.push(message);
  }

  /** To the queue of each endpoint that subscribes, as a topic with raw message delivery or a rule does. */
  #publish(message: OutgoingMessage, source: string, eventId: string): void {
    const { destination } = message;
    const isEvent = this.destinations.get(destination)?.kind === 'eventBus';
    const copy = isEvent ? asEvent(message, eventId, source, this.#clock.now()) : asSent(message);
    for (const each of this.#endpoints) {
      const types = subscriptions(each)[destination];
      // The group that a rule states for a FIFO queue.
      const group = isEvent && each.fifo === true && { messageGroupId: destination };
      if (types === 'all' || types?.includes(message.type)) this.send(each.endpoint, { ...copy, ...group });
    }
  }
}

function publishedTo({
  publishTo = testDefaults.publishTo,
}: Pick<AppEndpoint, 'publishTo'>): readonly string[] {
  return typeof publishTo === 'string' ? [publishTo] : Object.values(publishTo);
}

function asSent(message: OutgoingMessage): NewMessage {
  const { id: messageId, type, messageGroupId } = message;
  const attributes = wireAttributes(message);
  return { messageId, type, body: wireBody(message), attributes, messageGroupId, sent: message };
}

/** As a rule gives it to its target. Source: "EventBridge event structure". */
function asEvent(message: OutgoingMessage, eventId: string, source: string, now: Date): NewMessage {
  const { id, type } = message;
  const event = {
    version: '0',
    id: eventId,
    'detail-type': type,
    source,
    account: testDefaults.accountId,
    time: now.toISOString(),
    region: testDefaults.region,
    resources: [],
    detail: eventDetail(message),
  };
  return { messageId: id, type, body: JSON.stringify(event), attributes: {} };
}
