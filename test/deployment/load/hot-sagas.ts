import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { sagaKey } from '../../../lib/dynamodb/keys.ts';
import { sendInBatches } from '../../support/load-kill-verify/send-in-batches.ts';
import type { Clients } from '../engine/access.ts';
import {
  type CountedNumbers,
  type Counter,
  type CountingEndpoint,
  counterNameOf,
  countingEndpoints,
  effectsOfCounters,
  expectedOfCounter,
} from '../far-ends/counters.ts';
import type { ExpectedOrder } from '../far-ends/expected-effects.ts';
import type { Effects } from '../far-ends/judge-orders.ts';
import type { ProofSubject } from './proof-subject.ts';
import type { Subject } from './subject.ts';
import { entriesPerCall, idOf, sendsPerMessage, text } from './ways-in.ts';

const isFifo = (endpoint: CountingEndpoint) => endpoint === 'Billing';
const hotSagasPerEndpoint = 2;
/** The first batch of each saga holds no messages of others. */
const aloneUpTo = entriesPerCall;

/** How many messages a hot saga gets at once. */
export function messagesPerHotSaga(orders: number): number {
  return 20 + Math.floor(orders / 2);
}

interface StoredSaga {
  readonly version: number;
  readonly state: { readonly numbers: readonly number[] };
}

/** Sagas of the proof's app that get many messages at once, in both locking modes and from a FIFO queue. */
export class HotSagas implements Subject {
  readonly name = 'hot sagas';
  readonly ignoresDelayed = false;
  readonly orders: ExpectedOrder[] = [];
  duplicatesSent = 0;
  readonly #counters: Counter[] = [];
  readonly #clients: Clients;
  readonly #proof: ProofSubject;

  constructor(clients: Clients, proof: ProofSubject) {
    this.#clients = clients;
    this.#proof = proof;
  }

  get outboxTableNames(): readonly string[] {
    return this.#proof.outboxTableNames;
  }

  /** Sends each endpoint the numbers from 1 for each of its sagas, first ten alone, and then those of all. */
  async place(messages: number, { times = sendsPerMessage, prefix = 'hot' } = {}): Promise<void> {
    const numbers = Array.from({ length: messages }, (_, index) => index + 1);
    await Promise.all(
      countingEndpoints.map((endpoint) => {
        const ids = Array.from(
          { length: hotSagasPerEndpoint },
          (_, index) => `${prefix}-${endpoint}-${index + 1}`,
        );
        this.#expect(endpoint, ids, numbers);
        return this.#send(endpoint, ids, numbers, times);
      }),
    );
  }

  async workingQueueUrls(): Promise<string[]> {
    return await this.#proof.workingQueueUrls();
  }

  async scheduleComplaints(): Promise<string[]> {
    return [];
  }

  async effects(): Promise<Effects> {
    return effectsOfCounters(await Promise.all(this.#counters.map((counter) => this.#read(counter))));
  }

  #expect(from: CountingEndpoint, ids: readonly string[], numbers: readonly number[]): void {
    for (const endpoint of countingEndpoints.slice(countingEndpoints.indexOf(from))) {
      const isInOrder = isFifo(endpoint) && endpoint === from;
      const counters = ids.map((id) => ({ name: counterNameOf(endpoint), id, isInOrder }));
      this.#counters.push(...counters);
      this.orders.push(...counters.map((counter) => expectedOfCounter(counter, numbers)));
    }
  }

  /** The copies come behind all others: a duplicate ends what messages of a saga are committed together. */
  async #send(
    endpoint: CountingEndpoint,
    ids: readonly string[],
    numbers: readonly number[],
    times: number,
  ): Promise<void> {
    const counts = [
      ...ids.flatMap((counter) => numbers.slice(0, aloneUpTo).map((number) => ({ counter, number }))),
      ...numbers.slice(aloneUpTo).flatMap((number) => ids.map((counter) => ({ counter, number }))),
    ];
    const queueUrl = this.#proof.output(`${endpoint}QueueUrl`);
    for (let copy = 0; copy < times; copy += 1) {
      const messages = counts.map(({ counter, number }) => ({
        MessageBody: JSON.stringify({ counter, number }),
        MessageAttributes: {
          ...idOf('count', `${counter}-${number}`),
          'Sagabox.MessageType': text('Count'),
        },
        ...(isFifo(endpoint) && {
          MessageGroupId: counter,
          MessageDeduplicationId: `${counter}-${number}-${copy}`,
        }),
      }));
      await sendInBatches(this.#clients.sqs, queueUrl, messages);
    }
    this.duplicatesSent += counts.length * (times - 1);
  }

  async #read(counter: Counter): Promise<CountedNumbers> {
    const { partition, sort } = sagaKey(counter);
    const isOfStock = counter.name === counterNameOf('Stock');
    const table = isOfStock ? 'StockTableName' : 'SagaTableName';
    const Key = isOfStock
      ? { owner: { S: partition }, part: { S: sort } }
      : { PK: { S: partition }, SK: { S: sort } };
    const { Item } = await this.#clients.dynamoDB.send(
      new GetItemCommand({ TableName: this.#proof.output(table), Key, ConsistentRead: true }),
    );
    // A lock on a saga that is not there yet has no version.
    if (Item?.version === undefined) return { ...counter, version: 0, numbers: [] };
    const { version, state } = unmarshall(Item) as StoredSaga;
    return { ...counter, version, numbers: state.numbers };
  }
}
