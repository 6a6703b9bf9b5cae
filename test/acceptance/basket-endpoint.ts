import type { SQSRecord } from 'aws-lambda';
import {
  type CreateHandlerOptions,
  createHandler,
  defineSaga,
  type Locking,
  type MessageReport,
} from 'sagabox';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { record } from '../support/queue.ts';
import { allItems, type Item } from '../support/raw-items.ts';

const ofBasket = z.object({ basket: z.string() });
const correlate = (body: { basket: string }) => body.basket;

/** @param untilEnded what the handler of a message waits for */
const basketSaga = (untilEnded: (messageId: string) => Promise<void> | undefined) =>
  defineSaga({
    name: 'Basket',
    messages: {
      Opened: ofBasket,
      Added: ofBasket,
      Looked: ofBasket,
      Closed: ofBasket,
      Bought: ofBasket,
      Broken: ofBasket,
    },
    correlate: {
      Opened: correlate,
      Added: correlate,
      Looked: correlate,
      Closed: correlate,
      Bought: correlate,
      Broken: correlate,
    },
    startedBy: ['Opened', 'Bought', 'Broken'],
    initialState: () => ({ handled: [] as string[] }),
    handlers: {
      Opened: (message, { saga }) => void saga.state.handled.push(message.id),
      async Added(message, { saga }) {
        saga.state.handled.push(message.id);
        await untilEnded(message.id);
      },
      Looked() {},
      Closed: (_message, { saga }) => saga.complete(),
      Bought: (_message, { saga }) => saga.complete(),
      Broken() {
        throw new Error('a bug');
      },
    },
  });

/** Baskets in a table of their own; each delivery runs in a function of its own. */
export class BasketEndpoint {
  readonly reports: MessageReport[] = [];
  readonly notFound: string[] = [];
  readonly table: string;
  readonly #locking: Locking;
  readonly #held = new Map<string, Promise<void>>();
  readonly #saga = basketSaga((messageId) => this.#held.get(messageId));
  readonly #observer = dynamoDBClient();

  constructor(table: string, locking: Locking) {
    this.table = table;
    this.#locking = locking;
  }

  static async open(locking: Locking): Promise<BasketEndpoint> {
    return new BasketEndpoint(await createTable(), locking);
  }

  /** The handler of an 'Added' message runs until what is returned is called. */
  holdHandler(messageId: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.set(messageId, promise);
    return resolve;
  }

  /** @returns whether the message is done */
  async deliver(type: string, id: string, options: CreateHandlerOptions = {}): Promise<boolean> {
    return await this.deliverRecord(record(type, { basket: '7' }, id), options);
  }

  async deliverRecord(delivered: SQSRecord, options: CreateHandlerOptions = {}): Promise<boolean> {
    const handler = createHandler(this.#saga, {
      throwOnFullBatchFailure: false,
      endpoint: 'baskets',
      sagaTable: { tableName: this.table },
      outboxTable: { tableName: this.table },
      destinations: {},
      logger: silentLogger,
      onMessage: (report) => void this.reports.push(report),
      onSagaNotFound: ({ id }) => void this.notFound.push(id),
      locking: this.#locking,
      dynamoDBClient: dynamoDBClient(),
      ...options,
    });
    const { batchItemFailures } = await handler({ Records: [delivered] });
    return batchItemFailures.length === 0;
  }

  /** The outcomes of all attempts at a message, in order. */
  outcomes(id: string): string[] {
    return this.reports.filter(({ messageId }) => messageId === id).map(({ outcome }) => outcome);
  }

  async basket(): Promise<Item | undefined> {
    const items = await allItems(this.#observer, this.table);
    return items.find((item) => item.SK?.S === 'SAGA');
  }

  async handled(): Promise<string[] | undefined> {
    return (await this.basket())?.state?.M?.handled?.L?.map((entry) => entry.S ?? '');
  }
}
