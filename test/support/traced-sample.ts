import { trace } from '@opentelemetry/api';
import type { SQSRecord } from 'aws-lambda';
import { type CreateHandlerOptions, createHandler } from 'sagabox';
import { openTelemetry } from 'sagabox/opentelemetry';
import { sqsRecord } from 'sagabox/testing';
import { billing } from '../../lambdas/billing.ts';
import { orderSaga } from '../../lambdas/orders.ts';
import { shipping } from '../../lambdas/shipping.ts';
import type { Definition } from '../../lib/compose/handler/route-messages.ts';
import type { OutgoingMessage, OutgoingOperation } from '../../lib/messages/message.ts';
import { wireAttributes, wireBody } from '../../lib/messages/wire-format/wire.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import type { DispatchOptions } from '../../lib/sending/dispatch-options.ts';
import { MemoryDispatcher } from '../../lib/testing/memory/dispatcher.ts';
import { MemoryOutboxStore } from '../../lib/testing/memory/outbox-store.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { MappedCommitter, mappedSagas } from '../../lib/testing/test-stores.ts';
import { MovingClock } from './moving-clock.ts';

export const sampleAddresses = {
  orders: 'https://queues.test/Sample-Orders1A2B',
  billing: 'https://queues.test/Sample-Billing3C4D',
  shipping: 'https://queues.test/Sample-Shipping5E6F',
  events: 'arn:aws:sns:us-east-1:000000000000:Sample-Events7G8H',
} as const;

export type SampleEndpoint = 'orders' | 'billing' | 'shipping';

/** Sends to queues in memory, unless it is down. */
class QueuesInMemory extends MemoryDispatcher {
  isDown = false;
  readonly refused: OutgoingOperation[] = [];

  override async dispatch(operations: readonly OutgoingOperation[], options: DispatchOptions): Promise<void> {
    if (!this.isDown) return await super.dispatch(operations, options);
    this.refused.push(...structuredClone(operations));
    throw Object.assign(new Error('The queues are down'), { name: 'QueuesDown' });
  }
}

/** The endpoints of the sample, traced, on the real line with ports in memory. */
export class TracedSample {
  readonly clock = new MovingClock(new Date('2026-01-02T00:00:00Z'));
  readonly dispatcher = new QueuesInMemory();
  readonly tracing = openTelemetry();
  /** Each is thrown by one commit. */
  readonly refusals: unknown[] = [];
  readonly storages: Readonly<Record<SampleEndpoint, MemoryStorage>>;
  readonly #handlers: Readonly<Record<SampleEndpoint, ReturnType<typeof createHandler>>>;
  #delivered = 0;

  constructor(options: CreateHandlerOptions = {}) {
    this.storages = {
      orders: new MemoryStorage(),
      billing: new MemoryStorage(),
      shipping: new MemoryStorage(),
    };
    const handlerOf = (endpoint: SampleEndpoint, definition: Definition) =>
      createHandler(definition, { ...this.#optionsOf(endpoint), ...options });
    this.#handlers = {
      orders: handlerOf('orders', orderSaga),
      billing: handlerOf('billing', billing),
      shipping: handlerOf('shipping', shipping),
    };
  }

  /** One invocation, in a span of its own as of a Lambda instrumentation. */
  async invoke(endpoint: SampleEndpoint, records: readonly SQSRecord[]): Promise<number> {
    return await trace.getTracer('test').startActiveSpan(`invoke ${endpoint}`, async (span) => {
      const { batchItemFailures } = await this.#handlers[endpoint]({ Records: records });
      span.end();
      return batchItemFailures.length;
    });
  }

  /** Delivers what was sent to an endpoint, each message in an invocation of its own, until there is none. */
  async deliverAll(isDue: (message: OutgoingMessage) => boolean): Promise<void> {
    const { sent } = this.dispatcher;
    for (; this.#delivered < sent.length; this.#delivered += 1) {
      const message = sent[this.#delivered] as OutgoingMessage;
      if (isDue(message) && message.destination in this.#handlers)
        await this.invoke(message.destination as SampleEndpoint, [recordOf(message)]);
    }
  }

  #optionsOf(endpoint: SampleEndpoint): CreateHandlerOptions {
    const storage = this.storages[endpoint];
    const committer = new MappedCommitter(storage, defaultMapper, endpoint);
    const commit = committer.commit.bind(committer);
    committer.commit = async (...parameters) => {
      if (this.refusals.length > 0) throw this.refusals.shift();
      await commit(...parameters);
    };
    const quiet = { info() {}, warn() {}, error() {} };
    const once = { maxRetries: 1, baseDelay: { milliseconds: 1 }, maxDelay: { milliseconds: 1 } };
    return {
      endpoint,
      destinations: sampleAddresses,
      publishTo: 'events',
      tracing: this.tracing,
      logger: quiet,
      throwOnFullBatchFailure: false,
      recoverability: { immediateRetries: once },
      sqsClient: { send: async () => ({}) } as never,
      ports: {
        sagas: mappedSagas(storage, defaultMapper),
        outbox: new MemoryOutboxStore(storage, endpoint),
        committer,
        dispatcher: this.dispatcher,
        clock: this.clock,
      },
    };
  }
}

/** A message as its queue delivers it. */
export function recordOf(message: OutgoingMessage): SQSRecord {
  const address = sampleAddresses[message.destination as SampleEndpoint];
  return sqsRecord({
    rawBody: wireBody(message),
    headers: wireAttributes(message),
    queueName: address.split('/').at(-1) ?? '',
  });
}

/** The first message of an order, as from a foreign producer. */
export function placed(
  orderId: string,
  headers: Readonly<Record<string, string>> = {},
  id = `place-${orderId}`,
): SQSRecord {
  const body = { orderId, total: 10 };
  return sqsRecord({ type: 'OrderPlaced', id, body, headers, queueName: 'Sample-Orders1A2B' });
}
