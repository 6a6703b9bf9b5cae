import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { createHandler, defineHandlers } from 'sagabox';
import { z } from 'zod';
import type { RelayOutboxOptions } from '../../lib/compose/relay/relay-options.ts';
import { relayOutbox } from '../../lib/compose/relay/relay-outbox.ts';
import type { RelayStrategy } from '../../lib/relay/relay-defaults.ts';
import type { RelayResult } from '../../lib/relay/relay-result.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { dieAt, type Seam } from '../support/crash.ts';
import { createQueue, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { type ArrivedMessage, drain } from '../support/queue.ts';
import { randomText } from '../support/random-text.ts';
import { allItems, deleteItem, type Item } from '../support/raw-items.ts';
import { receiveRecords, sendTo } from '../support/received-records.ts';
import { createStreamedTable } from '../support/relay-subject.ts';
import { watchStream } from '../support/table-stream.ts';

const orderHandlers = defineHandlers({
  messages: { Placed: z.object({ note: z.string(), largeMessages: z.number().default(0) }) },
  handlers: {
    async Placed({ body }, { send }) {
      send('billing', 'Charge', { note: body.note });
      send('shipping', 'Ship', { note: body.note });
      for (let sent = 0; sent < body.largeMessages; sent += 1) {
        send('shipping', 'Label', { note: body.note, text: randomText(200_000, sent) });
      }
    },
  },
});

/** A record in several items takes a transaction. */
function afterCommit({ largeMessages = 0 }: Placed): Seam {
  const operation = largeMessages > 0 ? 'TransactWriteItems' : 'PutItem';
  return { operation, when: 'after', nth: 1 };
}

type Queues = Readonly<Record<'own' | 'billing' | 'shipping', string>>;

export interface Placed {
  readonly note: string;
  readonly largeMessages?: number;
}

export interface RunOptions extends RelayOutboxOptions {
  dieAt?: Seam;
}

/** Endpoints on one table; each delivery and each relay runs in a function of its own. */
export class RelayEndpoint {
  readonly tableName: string;
  readonly queues: Queues;
  readonly #strategy: RelayStrategy;
  readonly #sqs = sqsClient();
  readonly #dynamoDB = dynamoDBClient();

  private constructor(tableName: string, queues: Queues, strategy: RelayStrategy) {
    this.tableName = tableName;
    this.queues = queues;
    this.#strategy = strategy;
  }

  static async open(strategy: RelayStrategy): Promise<RelayEndpoint> {
    const tableName = await createStreamedTable(dynamoDBClient());
    const queues = { own: await createQueue(), billing: await createQueue(), shipping: await createQueue() };
    return new RelayEndpoint(tableName, queues, strategy);
  }

  /** Lets functions die after the commit of these messages, and purges the queue. */
  async loseAfterCommit(messages: Readonly<Record<string, Placed>>, endpoint = 'orders'): Promise<void> {
    for (const [id, body] of Object.entries(messages)) {
      await sendTo(this.#sqs, this.queues.own, { id, type: 'Placed', body });
      const records = await receiveRecords(this.#sqs, this.queues.own);
      const clients = this.#newClients(afterCommit(body));
      const handler = createHandler(orderHandlers, {
        throwOnFullBatchFailure: false,
        ...this.#options(endpoint),
        ...clients,
        recoverability: { immediateRetries: { maxRetries: 0 } },
      });
      const { batchItemFailures } = await handler({ Records: records });
      if (batchItemFailures.length !== 1) throw new Error(`${id} was to be lost, and is not`);
    }
    await this.#sqs.send(new PurgeQueueCommand({ QueueUrl: this.queues.own }));
    if ((await receiveRecords(this.#sqs, this.queues.own)).length > 0) throw new Error('It is not purged');
  }

  /** One run of the relay, of all that is older than a millisecond unless told otherwise. */
  async relay({ dieAt: seam, ...options }: RunOptions = {}): Promise<RelayResult> {
    if (this.#strategy === 'stream') await watchStream(this.#dynamoDB, this.tableName);
    const handler = relayOutbox({
      ...this.#options(options.endpoint ?? 'orders'),
      ...this.#newClients(seam),
      olderThan: { milliseconds: 1 },
      strategy: this.#strategy,
      maxReadUnitsPerSecond: 100_000,
      segments: 4,
      ...options,
    });
    return await handler({ 'detail-type': 'Scheduled Event' });
  }

  /** The ids and bodies of all that arrives, oldest copies and later ones alike. */
  async arrived(destination: 'billing' | 'shipping'): Promise<ArrivedMessage[]> {
    return await drain(this.#sqs, this.queues[destination]);
  }

  /** The ids of messages whose records are not dispatched, of all endpoints. */
  async undispatched(): Promise<string[]> {
    const records = (await this.items()).filter((item) => item.SK?.S === 'RECORD' && !item.dispatched?.BOOL);
    return records.map((item) => item.PK?.S?.split('#')[2] ?? '').toSorted();
  }

  async items(): Promise<Item[]> {
    return await allItems(this.#dynamoDB, this.tableName);
  }

  async removeItem(item: Item | undefined): Promise<void> {
    await deleteItem(this.#dynamoDB, this.tableName, item?.PK?.S ?? '', item?.SK?.S ?? '');
  }

  #options(endpoint: string) {
    const { billing, shipping } = this.queues;
    return {
      endpoint,
      outboxTable: { tableName: this.tableName },
      destinations: { billing, shipping },
      logger: silentLogger,
    };
  }

  #newClients(seam: Seam | undefined) {
    const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
    if (seam) dieAt(Object.values(clients), seam);
    return clients;
  }
}
