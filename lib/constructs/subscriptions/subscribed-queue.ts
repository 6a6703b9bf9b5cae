import { type Duration, type RemovalPolicy, Resource, Stack } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct, IConstruct, IDependable } from 'constructs';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import type { AnyEventBus } from '../construct-types.ts';
import {
  certainlySameTarget,
  type DestinationTarget,
  isTopic,
  sameTarget,
} from '../destinations/destination-target.ts';
import { reachable, reportUnreachable, type Way } from '../destinations/reachable.ts';
import { failureQueue } from '../endpoint/failure-queue.ts';
import { Violations } from '../violations.ts';
import { AllowedSources, patternProblem, type SourceService } from './allowed-sources.ts';
import { warnOfImportedQueue } from './imported-queue.ts';

/** What an endpoint subscribes to. */
export type MessageSource = ITopic | AnyEventBus;

interface SubscribedTopic {
  readonly topic: ITopic;
  readonly isFiltered: boolean;
}

interface QueuesOfEndpoint {
  readonly queue: IQueue;
  readonly deadLetterQueue: IQueue | undefined;
}

/** Of the queue for what could not be delivered. */
interface UndeliveredSettings {
  readonly retention: Duration;
  readonly removalPolicy: RemovalPolicy | undefined;
}

interface SubscriptionSettings {
  readonly sourcesByNamePattern?: readonly string[];
  readonly removalPolicy?: RemovalPolicy;
}

/** An endpoint's queue, as the target of topics and event buses. */
export class SubscribedQueue {
  readonly scope: Construct;
  readonly queue: IQueue;
  readonly sources: MessageSource[] = [];
  readonly violations: Violations;
  readonly #allowed = new Map<IQueue, AllowedSources>();
  readonly #topics: SubscribedTopic[] = [];
  readonly #deadLetterQueue: IQueue | undefined;
  readonly #undelivered: UndeliveredSettings;
  readonly #patterns: readonly string[];
  readonly #usesOfUndelivered: ((queue: IQueue) => void)[] = [];
  #undeliveredQueue: Queue | undefined;

  constructor(
    scope: Construct,
    { queue, deadLetterQueue }: QueuesOfEndpoint,
    { deadLetterRetention }: { readonly deadLetterRetention: Duration },
    { sourcesByNamePattern = [], removalPolicy }: SubscriptionSettings,
  ) {
    this.scope = scope;
    this.queue = queue;
    this.violations = new Violations(scope, () => this.#leftOutProblems());
    this.#deadLetterQueue = deadLetterQueue;
    this.#undelivered = { retention: deadLetterRetention, removalPolicy };
    this.#patterns = sourcesByNamePattern;
    for (const pattern of sourcesByNamePattern) {
      const found = patternProblem(pattern);
      if (found !== undefined) this.violations.add('sourcesByNamePattern', found.problem, found.remedy);
    }
  }

  /** The queues that sources send to: that of the endpoint, and those of what they could not deliver. */
  get receivingQueues(): readonly IQueue[] {
    return [...this.#allowed.keys()];
  }

  get undeliveredQueue(): Queue | undefined {
    return this.#undeliveredQueue;
  }

  /**
   * Takes what a source could not deliver to the endpoint's queue: its dead letter queue, when it is of the
   * kind that the source needs. A FIFO topic needs a FIFO queue, all others a standard one. Source: "Amazon
   * SNS dead-letter queues", "Using dead-letter queues to process undelivered events in EventBridge". The
   * policy of an imported one would not let the source send.
   */
  queueForUndelivered({ fifo }: { fifo: boolean }): IQueue {
    const known = this.#deadLetterQueue;
    if (known?.fifo === fifo && Resource.isOwnedResource(known)) return known;
    if (this.#undeliveredQueue !== undefined) return this.#undeliveredQueue;
    const queue = failureQueue(this.scope, 'UndeliveredQueue', {
      fifo,
      encryptionKey: this.queue.encryptionMasterKey,
      ...this.#undelivered,
    });
    this.#undeliveredQueue = queue;
    for (const use of this.#usesOfUndelivered) use(queue);
    return queue;
  }

  /** Uses the queue for what could not be delivered as soon as there is one: a later source may bring it. */
  whenUndelivered(use: (queue: IQueue) => void): void {
    if (this.#undeliveredQueue === undefined) this.#usesOfUndelivered.push(use);
    else use(this.#undeliveredQueue);
  }

  /** @returns the policy of the queue, for what must not send before it is there */
  allow(queue: IQueue, service: SourceService, source: IConstruct, arn: string): IDependable {
    warnOfImportedQueue(queue, service, source, arn);
    // What it subscribes to, the endpoint reports for its own stack.
    if (Resource.isOwnedResource(queue) && Stack.of(queue) !== Stack.of(this.scope)) {
      reportUnreachable(queue, {
        setting: 'subscribesTo',
        owner: source,
        value: arn,
        ...this.#remedies(source),
      });
    }
    const allowed = this.#allowed.get(queue) ?? new AllowedSources(queue, this.#patterns);
    this.#allowed.set(queue, allowed);
    return allowed.allow(service, source, reachable(source, arn, 'arn'));
  }

  #remedies(source: IConstruct): Pick<Way, 'againstCycle' | 'acrossAccounts'> {
    const acrossAccounts = 'Give the topic a topicName';
    const isOfEndpoint = Stack.of(source) === Stack.of(this.scope);
    const declared = isOfEndpoint
      ? 'Declare the endpoint in the stack of its queue'
      : `${acrossAccounts}, or declare it in a stack of its own`;
    return {
      againstCycle: `${declared}, or import the queue by its ARN, and allow the source in its policy there`,
      acrossAccounts,
    };
  }

  #leftOutProblems(): string[] {
    const leftOut = [...this.#allowed.values()].flatMap((allowed) => allowed.leftOut);
    if (leftOut.length === 0) return [];
    return [
      `sourcesByNamePattern: no pattern matches ${[...new Set(leftOut)].join(', ')}, which could not send to the queue. ` +
        'Add a pattern that does, or subscribe to fewer topics.',
    ];
  }

  addTopic(topic: ITopic, isFiltered: boolean): void {
    this.sources.push(topic);
    this.#topics.push({ topic, isFiltered });
  }

  hasTopic(topic: ITopic): boolean {
    return this.#topics.some((known) => sameTarget(known.topic, topic));
  }

  /** Whether it gets all messages that are sent to one of these. */
  receivesFrom(targets: readonly DestinationTarget[]): boolean {
    return targets.some((target) =>
      isTopic(target) ? this.#getsAllOf(target) : certainlySameTarget(target, this.queue),
    );
  }

  #getsAllOf(topic: ITopic): boolean {
    return this.#topics.some((known) => !known.isFiltered && certainlySameTarget(known.topic, topic));
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
