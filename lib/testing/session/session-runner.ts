import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Flow } from '../../attempt/attempt.ts';
import type { Ports } from '../../attempt/ports.ts';
import { type OpenSession, sessionOpener } from '../../compose/session/open-session.ts';
import { runSession } from '../../compose/session/run-session.ts';
import type { OutboxSessionOptions } from '../../compose/session/session-options.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isCancellation, type OutgoingMessage, type OutgoingOperation } from '../../messages/message.ts';
import type { Commit } from '../../outbox/commit.ts';
import type { Dispatcher } from '../../sending/dispatcher.ts';
import type { Sending } from '../../sending/sending.ts';
import type { OutboxSessionContext } from '../../session/session-context.ts';
import { ImmediateSends } from '../immediate-sends.ts';
import { lambdaContext } from '../lambda-context.ts';
import type { MemoryStorage } from '../memory/storage.ts';
import { memoryPorts } from '../memory-ports.ts';
import { observedCommitter } from '../observed-committer.ts';
import { silentLogger } from '../silent-logger.ts';
import { answeringFrom } from '../tables/answered-calls.ts';
import type { TestTables } from '../tables/test-tables.ts';
import { testDeduplication } from '../test-stores.ts';
import type { SessionTestOptions } from './session-options.ts';

/** What one run of a session handler did. */
export interface SessionResult<Response> {
  /** What Lambda gets, as JSON has it: of the handler, a stored one, or a problem. */
  readonly response: Response;
  /** Whether the handler was called. */
  readonly hasRun: boolean;
  /** Whether this run committed; of two at once, one does. */
  readonly isCommitted: boolean;
  /** What this run committed to be sent. */
  readonly outgoing: readonly OutgoingMessage[];
  /** The writes of `transaction.add` that this run committed. */
  readonly transactionItems: readonly TransactWriteItem[];
}

export type SessionHandler = (event: never, context: OutboxSessionContext) => unknown;

/** What sessions in memory stand on. */
export interface SessionRunnerParts {
  readonly endpoint: string;
  readonly storage: MemoryStorage;
  readonly tables: TestTables;
  /** Of claim checks. */
  readonly bodies: Map<string, string>;
  readonly dispatcher: Dispatcher;
  readonly sending: Sending;
  readonly time: TestTime;
}

/** The time of a test. */
export interface TestTime {
  readonly now: Date;
  moveBy(durationMs: number): void;
}

/** Runs the handler of a session as production does, on ports in memory. */
export class SessionRunner {
  readonly #of: string;
  readonly #handler: SessionHandler;
  readonly #options: SessionTestOptions;
  readonly #parts: SessionRunnerParts;
  readonly #running = new Set<Run>();
  #runs = 0;

  /**
   * @param of the function of the test kit that the options are given to
   * @throws SagaboxError `Configuration` for options that cannot be used
   */
  constructor(of: string, handler: SessionHandler, options: SessionTestOptions, parts: SessionRunnerParts) {
    this.#of = of;
    this.#handler = handler;
    this.#options = options;
    this.#parts = parts;
    // Wrong options are refused now, not with the first event.
    this.#opener(this.portsOf());
  }

  /** @throws what the session throws; SagaboxError `ImmediateSendFailed` after the commit */
  async run(event: unknown): Promise<SessionResult<unknown>> {
    const run = new Run();
    return await this.runOn(this.portsOf(run), event, run);
  }

  async runOn(ports: Ports, event: unknown, run: Run): Promise<SessionResult<unknown>> {
    this.#runs += 1;
    this.#running.add(run);
    try {
      return await answeringFrom(this.#parts.tables, () => this.#session(ports, event));
    } finally {
      this.end(run);
    }
  }

  /** Nobody waits for a run that has ended. */
  end(run: Run): void {
    this.#running.delete(run);
    run.end();
  }

  portsOf(run?: Run): Ports {
    return memoryPorts({ ...this.#parts, clock: this.#clockOf(run) }, undefined);
  }

  async #session(ports: Ports, event: unknown): Promise<SessionResult<unknown>> {
    const commits: Commit[] = [];
    const observed: Ports = { ...ports, committer: observedCommitter(ports.committer, commits) };
    const immediate = new ImmediateSends();
    let hasRun = false;
    const context = { ...lambdaContext(), awsRequestId: `request-${this.#runs}`, ...this.#options.context };
    const { awsRequestId, functionName } = context;
    const response = await runSession(
      this.#opener(observed),
      event,
      { awsRequestId, functionName },
      (scope) => {
        hasRun = true;
        const given = { ...context, ...scope };
        immediate.watch(awsRequestId, given as never);
        return this.#handler(event as never, given);
      },
    );
    for (const error of immediate.failures.values()) throw error;
    const [commit] = commits;
    return {
      response,
      hasRun,
      isCommitted: commit !== undefined,
      outgoing: commit?.outbox?.operations.filter(isMessage) ?? [],
      transactionItems: commit?.transactionItems ?? [],
    };
  }

  #opener(ports: Ports): OpenSession {
    const {
      destinations: _destinations,
      now: _now,
      context: _context,
      tables: _tables,
      ...options
    } = this.#options;
    const { endpoint, sending } = this.#parts;
    const makeFlow = (): Flow => ({
      endpoint,
      saga: undefined,
      ...testDeduplication(undefined, ports),
      sending,
      hooks: {},
      logger: options.logger ?? silentLogger,
      ports,
    });
    return sessionOpener(this.#of, options as OutboxSessionOptions, { makeFlow });
  }

  #clockOf(run?: Run): Clock {
    const { time } = this.#parts;
    return {
      now: () => {
        // Two sessions of one millisecond would take each other's record for their own.
        time.moveBy(1);
        return time.now;
      },
      sleep: async (durationMs) => {
        await this.#othersOf(run);
        time.moveBy(durationMs);
      },
    };
  }

  /** Until one of the other runs ends that do not wait themselves: time must not run out for who waits for it. */
  async #othersOf(run: Run | undefined): Promise<void> {
    if (run) run.isWaiting = true;
    const active = [...this.#running].filter((other) => other !== run && !other.isWaiting);
    if (active.length > 0) await Promise.race(active.map(({ ended }) => ended));
    if (run) run.isWaiting = false;
  }
}

/** A session under way. */
export class Run {
  isWaiting = false;
  readonly #ended = Promise.withResolvers<void>();

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  end(): void {
    this.#ended.resolve();
  }
}

function isMessage(operation: OutgoingOperation): operation is OutgoingMessage {
  return !isCancellation(operation);
}
