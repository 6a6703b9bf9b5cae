import type { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { SagaboxError } from '../../core/failures/errors.ts';
import type { AnyEventBus } from '../any-resource.ts';
import { sameTarget } from '../destinations/destination-target.ts';
import { failureQueue } from '../endpoint/endpoint-queue.ts';

/** What an endpoint subscribes to. */
export type MessageSource = ITopic | AnyEventBus;

interface SubscribedTopic {
  readonly topic: ITopic;
  readonly isFiltered: boolean;
}

/** An endpoint's queue, as the target of topics and event buses. */
export class SubscribedQueue {
  readonly scope: Construct;
  readonly queue: Queue;
  readonly sources: MessageSource[] = [];
  readonly #topics: SubscribedTopic[] = [];
  readonly #deadLetterQueue: Queue;
  readonly #retention: Duration;
  #undeliveredQueue: Queue | undefined;

  constructor(scope: Construct, queue: Queue, deadLetterQueue: Queue, deadLetterRetention: Duration) {
    this.scope = scope;
    this.queue = queue;
    this.#deadLetterQueue = deadLetterQueue;
    this.#retention = deadLetterRetention;
  }

  get undeliveredQueue(): Queue | undefined {
    return this.#undeliveredQueue;
  }

  /**
   * Takes what a source could not deliver to the endpoint's queue: its dead letter queue, when it is of the
   * kind that the source needs. A FIFO topic needs a FIFO queue, all others a standard one. Source: "Amazon
   * SNS dead-letter queues", "Using dead-letter queues to process undelivered events in EventBridge".
   */
  queueForUndelivered({ fifo }: { fifo: boolean }): Queue {
    if (this.#deadLetterQueue.fifo === fifo) return this.#deadLetterQueue;
    this.#undeliveredQueue ??= failureQueue(this.scope, 'UndeliveredQueue', {
      fifo,
      encryptionKey: this.queue.encryptionMasterKey,
      retention: this.#retention,
    });
    return this.#undeliveredQueue;
  }

  addTopic(topic: ITopic, isFiltered: boolean): void {
    this.sources.push(topic);
    this.#topics.push({ topic, isFiltered });
  }

  hasTopic(topic: ITopic): boolean {
    return this.#topics.some((known) => sameTarget(known.topic, topic));
  }

  /** Whether all messages of the topic come to the queue. */
  getsAllOf(topic: ITopic): boolean {
    return this.#topics.some((known) => !known.isFiltered && sameTarget(known.topic, topic));
  }

  assertTypes(messageTypes: readonly string[]): void {
    if (messageTypes.length > 0 && !messageTypes.includes('')) return;
    throw this.refusal('messageTypes is empty, or one of them is', 'Name the types, or leave it out');
  }

  refusal(problem: string, remedy: string): SagaboxError {
    const setting = `subscribesTo of '${this.scope.node.path}'`;
    return new SagaboxError('Configuration', { setting, problem, remedy });
  }
}
