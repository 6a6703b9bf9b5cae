import middy from '@middy/core';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { SQSRecord } from 'aws-lambda';
import {
  defineSaga,
  type MessageReport,
  type SagaHandlerContext,
  type SagaOutboxOptions,
  type SqsBatchOptions,
} from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { z } from 'zod';
import type { Flow } from '../../../lib/attempt/attempt.ts';
import type { Ports } from '../../../lib/attempt/ports.ts';
import { configureFailureHandling } from '../../../lib/compose/configure-failure-handling.ts';
import { batchHandler, type MessageHandler } from '../../../lib/compose/handler/batch-handler.ts';
import { throughContext } from '../../../lib/compose/handler/outbox-middleware.ts';
import { sagaOutboxOf } from '../../../lib/compose/handler/saga-outbox.ts';
import { sagaKey } from '../../../lib/dynamodb/keys.ts';
import { type Commit, messagesOf } from '../../../lib/outbox/commit.ts';
import type { MessageFailure } from '../../../lib/recoverability/policy.ts';
import type { StateMigrations } from '../../../lib/saga/state-versions.ts';
import { lambdaContext } from '../../../lib/testing/lambda-context.ts';
import { MemorySagaLocks } from '../../../lib/testing/memory/saga-locks.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { memoryPorts } from '../../support/memory-flow.ts';

const TOTAL_MS = 30_000;
const body = z.object({ saga: z.string() });

export interface CountState {
  applied: string[];
}

type Handle = (context: SagaHandlerContext<CountState>, id: string) => void | Promise<void>;

/** One batch of a saga that notes what it is given, on ports in memory that note their calls. */
export class CountedBatch {
  readonly memory = memoryPorts('counter');
  readonly calls: string[] = [];
  readonly commits: Commit[] = [];
  readonly reports: MessageReport[] = [];
  readonly failures: MessageFailure[] = [];
  readonly sleepsMs: number[] = [];
  /** What each handler was given, in the order in which they ran. */
  readonly seen: string[] = [];
  /** What a message does beside being noted, by its id; by default nothing. */
  readonly handlers: Record<string, Handle> = {};
  /** What calls throw instead of what they do, by how they are noted; each once. */
  readonly failing = new Map<string, unknown>();
  readonly ports: Ports;
  elapsedMs = 0;
  /** Of the saga, beside its initial state. */
  stateRules: { migrate?: StateMigrations; stateSchema?: StandardSchemaV1<unknown, CountState> } = {};
  readonly #timers = new Map<() => void, number>();
  readonly #waits: (() => void)[] = [];
  #random = 0;

  constructor() {
    const { sagas, outbox, committer, dispatcher } = this.memory.ports;
    const clock = {
      now: () => new Date(Date.parse('2026-01-01T00:00:00Z') + this.elapsedMs),
      sleep: async (durationMs: number, signal?: AbortSignal) => {
        if (!signal) this.sleepsMs.push(durationMs);
        else
          await new Promise<void>((resolve) => {
            this.#waits.push(resolve);
            signal.addEventListener('abort', () => resolve());
          });
      },
    };
    const locks = new MemorySagaLocks(this.memory.storage, sagas, clock);
    this.ports = {
      clock,
      sagas: { load: (saga) => this.#note(`load ${saga.id}`, () => sagas.load(saga)) },
      outbox: {
        find: (id, meter) => this.#note(`find ${id}`, () => outbox.find(id, meter)),
        saveProgress: (...parameters) => outbox.saveProgress(...parameters),
        markDispatched: (record) =>
          this.#note(`mark ${record.messageId}`, () => outbox.markDispatched(record)),
      },
      committer: {
        snapshot: (write) => committer.snapshot(write),
        readSnapshot: (kept) => committer.readSnapshot(kept),
        commit: (commit) => {
          const ids = messagesOf(commit).map(({ outbox: record }) => record?.messageId);
          this.commits.push(commit);
          return this.#note(`commit ${ids.join(' ')}`, () => committer.commit(commit));
        },
      },
      dispatcher: {
        dispatch: (operations, options) => {
          const types = operations.map((operation) =>
            'type' in operation ? operation.type : 'cancellation',
          );
          return this.#note(`send ${types.join(' ')}`, () => dispatcher.dispatch(operations, options));
        },
      },
      locks: {
        tryAcquire: (saga, lease, expected) =>
          this.#note(`acquire ${saga.id}`, () => locks.tryAcquire(saga, lease, expected)),
        renew: (saga, lease) => locks.renew(saga, lease),
        release: (saga, lease) => this.#note(`release ${saga.id}`, () => locks.release(saga, lease)),
      },
    };
  }

  /** @returns the ids of the messages that are returned */
  async run(
    records: readonly SQSRecord[],
    { coalesce, ...options }: Partial<SagaOutboxOptions> & SqsBatchOptions & { coalesce?: boolean } = {},
  ): Promise<string[]> {
    const saga = this.#saga(coalesce);
    const outboxOptions = {
      endpoint: 'counter',
      destinations: { billing: 'https://sqs.us-east-1.amazonaws.com/123456789012/billing', ...fifo },
      logger: silentLogger,
      onMessage: (report: MessageReport) => void this.reports.push(report),
      ports: this.ports,
      ...options,
      saga,
    };
    const handler = middy(saga.handler as never, { timeoutEarlyInMillis: 0 }).use(
      sagaOutboxOf(outboxOptions) as never,
    );
    const ofBatch = { logger: silentLogger, throwOnFullBatchFailure: false, ...options };
    const deliver = batchHandler(throughContext(handler as MessageHandler), ofBatch, {
      configure: (retries) => ({
        ...configureFailureHandling(ofBatch, retries, {
          now: this.ports.clock.now,
          sleep: (durationMs) => this.ports.clock.sleep(durationMs),
          random: () => this.#next(),
        }),
        delayReturned: async () => {},
      }),
      startTimer: (delayMs, callback) => {
        this.#timers.set(callback, this.elapsedMs + delayMs);
        return () => void this.#timers.delete(callback);
      },
    });
    const context = { ...lambdaContext(), getRemainingTimeInMillis: () => TOTAL_MS - this.elapsedMs };
    const { batchItemFailures } = await deliver({ Records: [...records] }, context);
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  }

  /** Ends the waits for leases. */
  wake(): void {
    for (const resolve of this.#waits.splice(0)) resolve();
  }

  /** Lets the invocation's time pass. */
  async pass(durationMs: number): Promise<void> {
    this.elapsedMs += durationMs;
    const nextDue = () => [...this.#timers].find(([, dueMs]) => dueMs <= this.elapsedMs);
    for (let due = nextDue(); due; due = nextDue()) {
      this.#timers.delete(due[0]);
      due[0]();
    }
    await new Promise(setImmediate);
  }

  /** Of the saga `s`, as it is stored. */
  get stored() {
    return this.memory.storage.sagas.get(sagaKey({ name: 'Counter', id: 's' }).partition);
  }

  get outcomes(): string[] {
    return this.reports.map(({ messageId, outcome }) => `${messageId} ${outcome}`);
  }

  callsOf(...names: string[]): string[] {
    return this.calls.filter((call) => names.some((name) => call.startsWith(name)));
  }

  #saga(coalesce: boolean | undefined) {
    const handle = async (message: { id: string; type: string }, context: SagaHandlerContext<CountState>) => {
      const { saga } = context;
      this.seen.push(`${message.id}: ${saga.state.applied.join(' ')}`);
      if (message.type !== 'Looked') saga.state.applied.push(message.id);
      await this.handlers[message.id]?.(context, message.id);
      if (message.type === 'Ended') saga.complete();
    };
    const correlate = ({ saga }: { saga: string }) => saga;
    return defineSaga({
      name: 'Counter',
      messages: { Started: body, Counted: body, Looked: body, Ended: body },
      correlate: { Started: correlate, Counted: correlate, Looked: correlate, Ended: correlate },
      startedBy: ['Started'],
      initialState: (): CountState => ({ applied: [] }),
      ...this.stateRules,
      ...(coalesce !== undefined && { coalesce }),
      handlers: { Started: handle, Counted: handle, Looked: handle, Ended: handle },
    });
  }

  async #note<T>(call: string, perform: () => Promise<T>): Promise<T> {
    this.calls.push(call);
    await new Promise(setImmediate);
    if (this.failing.has(call)) {
      const error = this.failing.get(call);
      this.failing.delete(call);
      throw error;
    }
    return await perform();
  }

  /** Another number each time. */
  #next(): number {
    this.#random = (this.#random + 0.37) % 1;
    return this.#random;
  }
}

const fifo = { ordered: 'https://sqs.us-east-1.amazonaws.com/123456789012/ordered.fifo' };

/** `Started a`, say, of the saga `s`, by its type and its id. */
export function messageOf(text: string, fields: Parameters<typeof sqsRecord>[0] = {}): SQSRecord {
  const [type = '', id = '', saga = 's'] = text.split(' ');
  return sqsRecord({ type, id, sqsMessageId: id, body: { saga }, ...fields });
}

/** As {@link messageOf}, of one FIFO group. */
export function inGroup(...texts: string[]): SQSRecord[] {
  return texts.map((text) => messageOf(text, { messageGroupId: 'group' }));
}

export function messages(...texts: string[]): SQSRecord[] {
  return texts.map((text) => messageOf(text));
}

export type { Flow };
