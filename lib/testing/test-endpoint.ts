import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import { retryWithBackoff } from '../core/async/retry-with-backoff.ts';
import { type Duration, durationProblem, toMilliseconds } from '../core/duration.ts';
import { isRetryable, SagaboxError } from '../core/failures/errors.ts';
import { readEnvelope } from '../core/incoming/envelope.ts';
import { headerNames } from '../core/incoming/headers.ts';
import type { IncomingMessage, OutgoingMessage } from '../core/incoming/message.ts';
import { Delivery } from '../flow/batch/delivery.ts';
import { SagaTurns } from '../flow/batch/saga-turns.ts';
import type { Definition } from '../middleware/create-handler.ts';
import { recoverabilitySettings } from '../middleware/recoverability-settings.ts';
import { attemptDelivery, type EndedAttempt, type TestedHandler } from './attempt-delivery.ts';
import { type DeliveryResult, deliveryResult } from './delivery-result.ts';
import { type MemoryFlow, memoryFlow } from './memory-flow.ts';
import type { RequestedTimeout } from './requested-timeout.ts';
import { sqsRecord } from './sqs-record.ts';
import { TestClock } from './test-clock.ts';
import { testDefaults } from './test-defaults.ts';
import type { DeliveryOptions, TestOptions } from './test-options.ts';

/** An endpoint in memory: production's flow and batch rules, on a clock that the test moves. */
export class TestEndpoint {
  readonly discarded: IncomingMessage[] = [];
  readonly #options: TestOptions;
  readonly #sagaName: string;
  readonly #endedSagas = new Set<string>();
  readonly #clock: TestClock;
  readonly #memory: MemoryFlow;
  readonly #handler: TestedHandler;
  readonly #turns = new SagaTurns();
  #deliveries = 0;

  constructor(definition: Definition, options: TestOptions) {
    this.#options = options;
    this.#sagaName = definition.kind === 'saga' ? definition.name : '';
    this.#clock = new TestClock(options.now ?? testDefaults.now);
    this.#handler = { handler: definition.handler, context: options.context };
    this.#memory = memoryFlow(definition, options, this.#clock, {
      onSagaNotFound: (message) => void this.discarded.push(message),
    });
  }

  get now(): Date {
    return this.#clock.now();
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

  state(sagaId: string | number): unknown {
    return this.#memory.sagas.read({ name: this.#sagaName, id: String(sagaId) })?.readState();
  }

  isCompleted(sagaId: string | number): boolean {
    return this.#endedSagas.has(String(sagaId)) && this.state(sagaId) === undefined;
  }

  async deliver(type: string, body: unknown, options: DeliveryOptions = {}): Promise<DeliveryResult> {
    this.#deliveries += 1;
    const { id = `message-${this.#deliveries}`, replyTo = testDefaults.sender, receiveCount = 1 } = options;
    const headers = {
      [headerNames.replyTo]: replyTo,
      [headerNames.sentAt]: this.now.toISOString(),
      ...options.headers,
    };
    return await this.deliverRecord(
      sqsRecord({
        type,
        body,
        id,
        headers,
        receiveCount,
        sentAt: this.now,
        queueName: this.#memory.flow.endpoint,
      }),
    );
  }

  async deliverRecord(record: SQSRecord): Promise<DeliveryResult> {
    const delivery = new Delivery(this.#turns);
    const { promise, resolve } = Promise.withResolvers<EndedAttempt>();
    const attempt = async () => {
      // Anew for each attempt, as in production: one that failed may have changed what it got.
      const received = readEnvelope(record, this.#options);
      resolve(await attemptDelivery(this.#memory.flow, this.#handler, received, delivery));
    };
    try {
      await retryWithBackoff(attempt, {
        backoff: recoverabilitySettings({}).immediateRetries,
        mayRetry: isRetryable,
        sleep: async () => {},
        random: () => 0,
      });
    } finally {
      delivery.end();
    }
    const result = deliveryResult(await promise, this.now);
    this.#noteEnd(result);
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
    const durationMs = toMilliseconds(duration);
    if (!(durationMs >= 0)) throw wrongDuration(duration);
    const end = new Date(this.now.getTime() + durationMs);
    const results: DeliveryResult[] = [];
    for (let [next] = this.timeouts; next && next.dueAt <= end; [next] = this.timeouts) {
      results.push(await this.#fire(next));
    }
    this.#clock.moveTo(end);
    return results;
  }

  /** A handled message leaves its saga behind, or has completed it. */
  #noteEnd({ outcome, sagaId }: DeliveryResult): void {
    if (outcome !== 'handled' || sagaId === undefined) return;
    if (this.state(sagaId) === undefined) this.#endedSagas.add(sagaId);
  }

  /** A timeout whose handler throws waits on, as SQS would deliver it again. */
  async #fire(timeout: RequestedTimeout): Promise<DeliveryResult> {
    this.#clock.moveTo(timeout.dueAt);
    const { type, body, id, headers } = timeout;
    const result = await this.deliverRecord(
      sqsRecord({ type, body, id, headers, sentAt: this.now, queueName: this.#memory.flow.endpoint }),
    );
    this.#memory.dispatcher.fired(timeout);
    return result;
  }
}

function wrongDuration(duration: Duration): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', {
    setting: 'advance',
    problem: durationProblem(duration) ?? 'its duration is negative',
    remedy: 'Time moves forward, as in { minutes: 5 }',
  });
}
