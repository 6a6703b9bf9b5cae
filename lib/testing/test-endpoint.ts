import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { SagaQueues } from '../attempt/saga-queue/saga-queue.ts';
import type { Definition } from '../compose/handler/route-messages.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Duration } from '../kernel/duration.ts';
import { headerNames } from '../messages/headers.ts';
import type { IncomingMessage, OutgoingMessage } from '../messages/message.ts';
import { deliverRecord, type TestedEndpoint } from './deliver-record.ts';
import type { DeliveryResult, RequestedTimeout } from './delivery-result.ts';
import { memoryFlow } from './memory-flow.ts';
import { bodySentByTest } from './sent-by-test.ts';
import { type SqsRecordOptions, sqsRecord } from './sqs-record.ts';
import type { Item } from './tables/item.ts';
import type { UnevaluatedCondition } from './tables/test-tables.ts';
import { testDefaults } from './test-defaults.ts';
import { assertDeliveryOptions, type DeliveryOptions, type SagaTestOptions } from './test-options.ts';
import { timeAfter } from './time-after.ts';

/** An endpoint in memory: production's flow and batch rules, on a clock that the test moves. */
export class TestEndpoint {
  readonly discarded: IncomingMessage[] = [];
  readonly #sagaName: string;
  readonly #endedSagas = new Set<string>();
  readonly #memory: ReturnType<typeof memoryFlow>;
  readonly #tested: TestedEndpoint;
  #deliveries = 0;
  #now: Date;

  constructor(definition: Definition, options: SagaTestOptions) {
    this.#sagaName = definition.kind === 'saga' ? definition.name : '';
    this.#now = options.now ?? testDefaults.now;
    const clock: Clock = { now: () => this.now, sleep: async () => {} };
    this.#memory = memoryFlow(definition, options, clock, {
      onSagaNotFound: (message) => void this.discarded.push(message),
    });
    const { flow, tables } = this.#memory;
    this.#tested = { definition, flow, options, tables, queues: new SagaQueues() };
  }

  get now(): Date {
    return new Date(this.#now);
  }

  get outgoing(): readonly OutgoingMessage[] {
    return this.#memory.dispatcher.outgoing;
  }

  get timeouts(): readonly RequestedTimeout[] {
    return this.#memory.dispatcher.timeouts;
  }

  get transactionItems(): readonly TransactWriteItem[] {
    return this.#memory.storage.transactionItems;
  }

  get unevaluatedConditions(): readonly UnevaluatedCondition[] {
    return this.#memory.tables.unevaluated;
  }

  items(tableName: string): readonly Item[] {
    return this.#memory.tables.items(tableName);
  }

  state(sagaId: string | number): unknown {
    return this.#memory.sagas.read({ name: this.#sagaName, id: String(sagaId) }).stored?.readState();
  }

  isCompleted(sagaId: string | number): boolean {
    return this.#endedSagas.has(String(sagaId)) && this.state(sagaId) === undefined;
  }

  async deliver(type: string, body: unknown, options: DeliveryOptions = {}): Promise<DeliveryResult> {
    assertDeliveryOptions(options);
    this.#deliveries += 1;
    const { id = `message-${this.#deliveries}`, replyTo = testDefaults.sender, receiveCount = 1 } = options;
    const headers = {
      [headerNames.replyTo]: replyTo,
      [headerNames.sentAt]: this.now.toISOString(),
      ...options.headers,
    };
    const { endpoint } = this.#memory.flow;
    const attributes = { ...headers, [headerNames.messageId]: id, [headerNames.messageType]: type };
    const rawBody = bodySentByTest(type, endpoint, body, attributes);
    return await this.#deliverMessage({ type, rawBody, id, headers, receiveCount });
  }

  async deliverRecord(record: SQSRecord): Promise<DeliveryResult> {
    const result = await deliverRecord(this.#tested, record);
    const { outcome, sagaId } = result;
    // A handled message leaves its saga behind, or has completed it.
    if (outcome === 'handled' && sagaId !== undefined && this.state(sagaId) === undefined)
      this.#endedSagas.add(sagaId);
    return result;
  }

  /** Those that wait now: what they request themselves waits for the next call. */
  async fireTimeouts(): Promise<DeliveryResult[]> {
    const results: DeliveryResult[] = [];
    for (const timeout of this.timeouts) {
      // One that fired before it may have cancelled it.
      if (this.timeouts.includes(timeout)) results.push(await this.#fire(timeout));
    }
    return results;
  }

  async advance(duration: Duration): Promise<DeliveryResult[]> {
    const end = timeAfter(this.now, duration);
    const results: DeliveryResult[] = [];
    for (let [next] = this.timeouts; next && next.dueAt <= end; [next] = this.timeouts) {
      results.push(await this.#fire(next));
    }
    this.#moveTo(end);
    return results;
  }

  async #deliverMessage(options: SqsRecordOptions): Promise<DeliveryResult> {
    const { endpoint: queueName } = this.#memory.flow;
    return await this.deliverRecord(sqsRecord({ ...options, sentAt: this.now, queueName }));
  }

  /** Never backwards. */
  #moveTo(time: Date): void {
    if (time > this.#now) this.#now = time;
  }

  /** A timeout whose handler throws waits on, as SQS would deliver it again. */
  async #fire(timeout: RequestedTimeout): Promise<DeliveryResult> {
    this.#moveTo(timeout.dueAt);
    const { type, body, id, headers } = timeout;
    const result = await this.#deliverMessage({ type, body, id, headers });
    this.#memory.dispatcher.fired(timeout);
    return result;
  }
}
