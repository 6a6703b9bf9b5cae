import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { MemoryStorage } from '../../adapters/memory/storage.ts';
import { MemoryUndispatchedRecords } from '../../adapters/memory/undispatched-records.ts';
import { configurationError } from '../../core/failures/errors.ts';
import { isCancellation, type OutgoingMessage, type OutgoingOperation } from '../../core/incoming/message.ts';
import type { Commit } from '../../core/outbox/commit.ts';
import type { Sending } from '../../core/outgoing/sending.ts';
import type { OutboxSessionContext } from '../../core/session/session-context.ts';
import { assertKeyName } from '../../core/storage/keys.ts';
import type { Flow } from '../../flow/attempt.ts';
import { relayRecords } from '../../flow/relay/relay.ts';
import { sessionOpener } from '../../middleware/session/open-session.ts';
import { runSession } from '../../middleware/session/run-session.ts';
import type { OutboxSessionOptions } from '../../middleware/session/session-options.ts';
import type { Clock, Ports } from '../../ports.ts';
import { lambdaContext } from '../lambda-context.ts';
import { sendingFrom } from '../memory-flow.ts';
import { memoryPorts } from '../memory-ports.ts';
import { observedCommitter } from '../observed-committer.ts';
import { silentLogger } from '../silent-logger.ts';
import type { Item } from '../tables/operands.ts';
import { TestTables, type UnevaluatedCondition } from '../tables/test-tables.ts';
import { testDefaults } from '../test-defaults.ts';
import { TestDispatcher } from '../test-dispatcher.ts';
import { testDeduplication } from '../test-stores.ts';
import { type CrashPoint, crashPoints, type SessionTestOptions } from './session-options.ts';

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

type Handle = (event: never, context: OutboxSessionContext) => unknown;

/** A session handler in memory: production's session, on ports in memory. */
export class SessionUnderTest {
  readonly #handler: Handle;
  readonly #options: SessionTestOptions;
  readonly #endpoint: string;
  readonly #sending: Sending;
  readonly #storage = new MemoryStorage();
  readonly #tables: TestTables;
  readonly #dispatcher: TestDispatcher;
  readonly #bodies = new Map<string, string>();
  readonly #running = new Set<Run>();
  #now: number;
  #runs = 0;

  constructor(handler: Handle, options: SessionTestOptions) {
    const { endpoint = testDefaults.endpoint, now = testDefaults.now } = options;
    assertKeyName('endpoint', endpoint);
    this.#handler = handler;
    this.#options = options;
    this.#tables = new TestTables(options.tables);
    this.#endpoint = endpoint;
    this.#now = now.getTime();
    this.#dispatcher = new TestDispatcher(endpoint, this.#clockOf());
    this.#sending = sendingFrom(endpoint, options);
    // Wrong options are refused now, not with the first event.
    this.#opener(this.#ports());
  }

  get outgoing(): readonly OutgoingMessage[] {
    return this.#dispatcher.outgoing;
  }

  get transactionItems(): readonly TransactWriteItem[] {
    return this.#storage.transactionItems;
  }

  get unevaluatedConditions(): readonly UnevaluatedCondition[] {
    return this.#tables.unevaluated;
  }

  items(tableName: string): readonly Item[] {
    return this.#tables.items(tableName);
  }

  async run(event: unknown): Promise<SessionResult<unknown>> {
    const run = new Run();
    return await this.#runOn(this.#ports(run), event, run);
  }

  async crash(event: unknown, at: CrashPoint): Promise<void> {
    if (!crashPoints.includes(at)) {
      const remedy = `Use ${crashPoints.join(', ')}`;
      throw configurationError('testSession: crash', `there is no point '${at}'`, remedy);
    }
    const crashed = Promise.withResolvers<'crashed'>();
    const run = new Run();
    const ports = crashingPorts(this.#ports(run), at, () => {
      // Nobody waits for it.
      this.#running.delete(run);
      crashed.resolve('crashed');
    });
    const running = this.#runOn(ports, event, run);
    if ((await Promise.race([running, crashed.promise])) === 'crashed') return;
    const problem = `the session ended before the point '${at}'`;
    throw configurationError(
      'testSession: crash',
      problem,
      'Use an event that is new, and that sends or writes',
    );
  }

  async relay(): Promise<number> {
    const undispatched = new MemoryUndispatchedRecords(this.#storage, this.#endpoint);
    const { outbox, dispatcher, clock } = this.#ports();
    const { dispatched } = await relayRecords(
      { outbox, dispatcher, clock, undispatched },
      {
        olderThanMs: 0,
        leaseDurationMs: 60_000,
        concurrency: 1,
        includePostponed: true,
        newLeaseOwner: () => 'the test',
        signal: new AbortController().signal,
      },
    );
    return dispatched;
  }

  async #runOn(ports: Ports, event: unknown, run: Run): Promise<SessionResult<unknown>> {
    this.#runs += 1;
    this.#running.add(run);
    try {
      return await this.#session(ports, event);
    } finally {
      this.#running.delete(run);
      run.end();
    }
  }

  async #session(ports: Ports, event: unknown): Promise<SessionResult<unknown>> {
    const commits: Commit[] = [];
    const observed: Ports = { ...ports, committer: observedCommitter(ports.committer, commits) };
    let hasRun = false;
    const context = { ...lambdaContext(), awsRequestId: `request-${this.#runs}`, ...this.#options.context };
    const response = await runSession(
      this.#opener(observed),
      event,
      { awsRequestId: context.awsRequestId, functionName: context.functionName },
      (scope) => {
        hasRun = true;
        return this.#handler(event as never, { ...context, ...scope });
      },
    );
    const [commit] = commits;
    return {
      response,
      hasRun,
      isCommitted: commit !== undefined,
      outgoing: commit?.outbox?.operations.filter(isMessage) ?? [],
      transactionItems: commit?.transactionItems ?? [],
    };
  }

  #opener(ports: Ports) {
    const {
      destinations: _destinations,
      now: _now,
      context: _context,
      tables: _tables,
      ...options
    } = this.#options;
    const makeFlow = (): Flow => ({
      endpoint: this.#endpoint,
      saga: undefined,
      outbox: true,
      ...testDeduplication(undefined, ports),
      sending: this.#sending,
      hooks: {},
      logger: options.logger ?? silentLogger,
      ports,
    });
    return sessionOpener('testSession', options as OutboxSessionOptions, { makeFlow });
  }

  #ports(run?: Run): Ports {
    const parts = {
      endpoint: this.#endpoint,
      storage: this.#storage,
      tables: this.#tables,
      sending: this.#sending,
      dispatcher: this.#dispatcher,
      clock: this.#clockOf(run),
      bodies: this.#bodies,
    };
    return memoryPorts(parts, undefined);
  }

  #clockOf(run?: Run): Clock {
    return {
      now: () => {
        // Two sessions of one millisecond would take each other's record for their own.
        this.#now += 1;
        return new Date(this.#now);
      },
      sleep: async (durationMs) => {
        await this.#othersOf(run);
        this.#now += durationMs;
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
class Run {
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

/** Of a process that is killed: the call at that point has its effect or none, and is never answered. */
function crashingPorts(ports: Ports, at: CrashPoint, crash: () => void): Ports {
  const never = () => {
    crash();
    return new Promise<never>(() => {});
  };
  const { committer, dispatcher } = ports;
  return {
    ...ports,
    committer: {
      keep: (write) => committer.keep(write),
      readKept: (kept) => committer.readKept(kept),
      commit: async (...parameters) => {
        if (at === 'beforeCommit') return await never();
        await committer.commit(...parameters);
        if (at === 'afterCommit') await never();
      },
    },
    dispatcher: {
      dispatch: async (...parameters) => {
        await dispatcher.dispatch(...parameters);
        if (at === 'afterDispatch') await never();
      },
    },
  };
}
