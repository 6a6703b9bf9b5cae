import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { SQSRecord } from 'aws-lambda';
import type { Flow } from '../../attempt/attempt.ts';
import type { Ports } from '../../attempt/ports.ts';
import type { BatchFailureHandling } from '../../compose/handler/batch-handler.ts';
import type { Definition } from '../../compose/handler/route-messages.ts';
import { sendingOf } from '../../compose/sending-settings.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readEnvelope } from '../../messages/envelope.ts';
import type { FailureFacts } from '../../messages/failures/failure-facts.ts';
import type { IncomingMessage, OutgoingMessage } from '../../messages/message.ts';
import type { FlowHooks, MessageReport } from '../../observe/hooks.ts';
import { messagesOf } from '../../outbox/commit.ts';
import { FailureLog } from '../../recoverability/failure-log.ts';
import type { MessageFailure, RetrySettings } from '../../recoverability/policy.ts';
import type { SagaRules } from '../../saga/definition/define-saga.ts';
import { defaultMapper, type StateMapper } from '../../saga/item/mapper.dynamodb.ts';
import type { Sending } from '../../sending/sending.ts';
import { invokeFunction } from '../invoke-function.ts';
import type { MemoryStorage } from '../memory/storage.ts';
import { memoryPorts } from '../memory-ports.ts';
import { silentLogger } from '../silent-logger.ts';
import { sqsRecord } from '../sqs-record.ts';
import type { TestTables } from '../tables/test-tables.ts';
import { testDefaults } from '../test-defaults.ts';
import { testDeduplication } from '../test-stores.ts';
import { type AppEndpoint, appDefaults, type TestAppOptions } from './app-options.ts';
import type { Network } from './network.ts';
import type { QueuedMessage, TestQueue } from './test-queue.ts';

/** What the endpoints of an app share. */
export interface SharedParts {
  readonly options: TestAppOptions;
  readonly storage: MemoryStorage;
  readonly tables: TestTables;
  readonly bodies: Map<string, string>;
  readonly network: Network;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly onMessage: (report: MessageReport) => void;
  readonly portsOf: (ports: Ports) => Ports;
  /** The definition, as it is to be run. */
  readonly definitionOf: (endpoint: string, definition: Definition) => Definition;
}

/** A message in an error queue. */
export interface FailedMessage {
  readonly messageId: string;
  readonly type: string;
  /** As JSON, or what else it was. */
  readonly body: string;
  /** What the header `Sagabox.Failure` tells in production. */
  readonly failure: FailureFacts;
  readonly error: unknown;
}

/** One delivery of a message to an endpoint. */
export interface AppDelivery {
  readonly endpoint: string;
  readonly messageId: string;
  readonly type: string;
  /** How often it was delivered, this delivery included. */
  readonly receiveCount: number;
  /**
   * As {@link MessageReport} has it, or: `ignored`, as a policy said; `returned` to the queue, to be delivered
   * again; sent to the `errorQueue`.
   */
  readonly outcome: Exclude<MessageReport['outcome'], 'failed'> | 'ignored' | 'returned' | 'errorQueue';
  /** Of a message that failed; of one that was handled, what it could not send with `sendImmediately`. */
  readonly error?: unknown;
}

/** An endpoint of an app: its queue, its function, its error queue. */
export class EndpointInApp {
  readonly name: string;
  readonly queue: TestQueue;
  readonly definitions: readonly Definition[];
  readonly outgoing: OutgoingMessage[] = [];
  readonly transactionItems: TransactWriteItem[] = [];
  readonly discarded: IncomingMessage[] = [];
  readonly failed: { readonly message: QueuedMessage; readonly shown: FailedMessage }[] = [];
  readonly #given: AppEndpoint;
  readonly #shared: SharedParts;
  readonly #sending: Sending;

  constructor(given: AppEndpoint, shared: SharedParts) {
    const { endpoint, handles, publishTo = testDefaults.publishTo } = given;
    this.name = endpoint;
    this.#given = given;
    this.#shared = shared;
    this.queue = shared.network.queues.get(endpoint) as TestQueue;
    this.definitions = ([handles].flat() as Definition[]).map((each) => shared.definitionOf(endpoint, each));
    const { context: _context, recoverability: _recoverability, ...options } = given;
    this.#sending = {
      ...sendingOf({ ...options, destinations: {}, publishTo }, {}),
      destinations: shared.network.destinations,
      schedules: true,
    };
  }

  get mapper(): StateMapper {
    return this.#given.mapper ?? defaultMapper;
  }

  get messageTypes(): readonly string[] {
    return this.definitions.flatMap(({ messages }) => Object.keys(messages));
  }

  /** Runs one invocation. @returns how it ended for each message */
  async invoke(messages: readonly QueuedMessage[]): Promise<AppDelivery[]> {
    for (const message of messages) this.queue.hold(message);
    const ending = new InvocationEnding();
    const { reports, commits, unsent } = await invokeFunction(
      {
        definitions: this.definitions,
        flowOf: (saga) => this.#flowOf(saga),
        options: this.#given,
        tables: this.#shared.tables,
        configureFailures: (retries) => this.#failureHandling(retries, ending),
      },
      messages.map((message) => this.#recordOf(message)),
    );
    for (const commit of commits) {
      for (const { transactionItems } of messagesOf(commit)) this.transactionItems.push(...transactionItems);
    }
    const ended = reports.filter(({ outcome }) => outcome !== 'failed');
    return messages.map((message) => {
      const delivery = this.#ended(message, ending, ended);
      const error = delivery.error ?? unsent.get(this.#idOf(message));
      return error === undefined ? delivery : { ...delivery, error };
    });
  }

  /** @param reports of messages that were handled: each stands for one copy */
  #ended(message: QueuedMessage, ending: InvocationEnding, reports: MessageReport[]): AppDelivery {
    const { sqsMessageId, messageId, type, body, receiveCount } = message;
    const delivery = { endpoint: this.name, messageId, type, receiveCount };
    const failure = ending.failures.get(sqsMessageId);
    const retryAt = ending.returned.get(sqsMessageId);
    if (retryAt !== undefined) {
      this.queue.release(message, retryAt);
      return { ...delivery, outcome: 'returned', error: failure?.error };
    }
    this.queue.remove(message);
    const facts = ending.forwarded.get(sqsMessageId);
    if (facts !== undefined) {
      this.failed.push({ message, shown: { messageId, type, body, failure: facts, error: failure?.error } });
      return { ...delivery, outcome: 'errorQueue', error: failure?.error };
    }
    if (ending.ignored.has(sqsMessageId)) return { ...delivery, outcome: 'ignored' };
    const id = this.#idOf(message);
    const index = reports.findIndex((report) => report.messageId === id);
    const [report] = index < 0 ? [] : reports.splice(index, 1);
    return { ...delivery, outcome: (report?.outcome ?? 'handled') as AppDelivery['outcome'] };
  }

  /** As its handler knows it: `parse`, or what brought it from an event bus, may give it another one. */
  #idOf(message: QueuedMessage): string {
    return readEnvelope(this.#recordOf(message), this.#given).id;
  }

  #failureHandling(retries: RetrySettings, ending: InvocationEnding): BatchFailureHandling {
    const { clock, random, options } = this.#shared;
    const { recoverability, maxReceiveCount = appDefaults.maxReceiveCount } = this.#given;
    const log = new FailureLog(this.name, options.logger ?? silentLogger, {});
    const failed = (failure: MessageFailure) => void ending.failures.set(failure.record.messageId, failure);
    log.returned = failed;
    log.forwarded = failed;
    log.ignored = ({ record }) => void ending.ignored.add(record.messageId);
    return {
      ...retries,
      policy: recoverability?.policy,
      errorQueue: {
        forward: async ({ messageId }, _id, facts) => void ending.forwarded.set(messageId, facts),
      },
      maxReceiveCount,
      endpoint: this.name,
      queueUrlOf: () => undefined,
      setsDelayOf: () => true,
      log,
      now: () => clock.now(),
      sleep: (durationMs) => clock.sleep(durationMs),
      random,
      delayReturned: async (returned) => {
        for (const { record, retryInSeconds = 0 } of returned)
          ending.returned.set(record.messageId, new Date(clock.now().getTime() + retryInSeconds * 1000));
      },
    };
  }

  #flowOf(saga: SagaRules | undefined): Flow {
    const { name: endpoint } = this;
    const { storage, tables, bodies, network, clock, options, portsOf } = this.#shared;
    const dispatcher = network.dispatcherOf(endpoint, this.outgoing);
    const sending = this.#sending;
    const hooks: FlowHooks = {
      onSagaNotFound: (message) => void this.discarded.push(message),
      onMessage: (report) => this.#shared.onMessage(report),
    };
    const ports = memoryPorts(
      { endpoint, storage, tables, mapper: this.mapper, sending, dispatcher, clock, bodies },
      saga,
    );
    const logger = options.logger ?? silentLogger;
    const used = portsOf(ports);
    const deduplication = testDeduplication(saga, used);
    return { endpoint, saga, ...deduplication, sending, hooks, logger, ports: used };
  }

  #recordOf(message: QueuedMessage): SQSRecord {
    const {
      attributes: headers,
      body: rawBody,
      receiveCount,
      sentAt,
      sqsMessageId,
      messageGroupId,
    } = message;
    return sqsRecord({
      rawBody,
      headers,
      receiveCount,
      sentAt,
      sqsMessageId,
      queueName: this.queue.name,
      ...(messageGroupId !== undefined && { messageGroupId }),
    });
  }
}

/** What became of the messages of an invocation that were not handled, by the ids that SQS gave. */
class InvocationEnding {
  readonly failures = new Map<string, MessageFailure>();
  readonly ignored = new Set<string>();
  readonly forwarded = new Map<string, FailureFacts>();
  /** When they are delivered again. */
  readonly returned = new Map<string, Date>();
}
