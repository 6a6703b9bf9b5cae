import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Ports } from '../../attempt/ports.ts';
import { assertKeyName } from '../../dynamodb/keys.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import { relayRecords } from '../../relay/relay.ts';
import { MemoryStorage } from '../memory/storage.ts';
import { MemoryUndispatchedRecords } from '../memory/undispatched-records.ts';
import { sendingFrom } from '../memory-flow.ts';
import type { Item } from '../tables/item.ts';
import { TestTables, type UnevaluatedCondition } from '../tables/test-tables.ts';
import { testDefaults } from '../test-defaults.ts';
import { TestDispatcher } from '../test-dispatcher.ts';
import { type CrashPoint, crashPoints, type SessionTestOptions } from './session-options.ts';
import {
  Run,
  type SessionHandler,
  type SessionResult,
  SessionRunner,
  type TestTime,
} from './session-runner.ts';

/** A session handler in memory: production's session, on ports in memory. */
export class SessionUnderTest {
  readonly #endpoint: string;
  readonly #storage = new MemoryStorage();
  readonly #tables: TestTables;
  readonly #dispatcher: TestDispatcher;
  readonly #runner: SessionRunner;

  constructor(handler: SessionHandler, options: SessionTestOptions) {
    const { endpoint = testDefaults.endpoint, now = testDefaults.now } = options;
    assertKeyName('endpoint', endpoint);
    const time = timeFrom(now);
    this.#endpoint = endpoint;
    this.#tables = new TestTables(options.tables);
    this.#dispatcher = new TestDispatcher(endpoint, { now: () => time.now });
    this.#runner = new SessionRunner('testSession', handler, options, {
      endpoint,
      storage: this.#storage,
      tables: this.#tables,
      bodies: new Map(),
      dispatcher: this.#dispatcher,
      sending: sendingFrom(endpoint, options),
      time,
    });
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
    return await this.#runner.run(event);
  }

  async crash(event: unknown, at: CrashPoint): Promise<void> {
    if (!crashPoints.includes(at)) {
      const remedy = `Use ${crashPoints.join(', ')}`;
      throw configurationError('testSession: crash', `there is no point '${at}'`, remedy);
    }
    const crashed = Promise.withResolvers<'crashed'>();
    const run = new Run();
    const ports = crashingPorts(this.#runner.portsOf(run), at, () => {
      this.#runner.end(run);
      crashed.resolve('crashed');
    });
    const running = this.#runner.runOn(ports, event, run);
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
    const { outbox, dispatcher, clock } = this.#runner.portsOf();
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
}

function timeFrom(start: Date): TestTime {
  let now = start.getTime();
  return {
    get now() {
      return new Date(now);
    },
    moveBy(durationMs) {
      now += durationMs;
    },
  };
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
      snapshot: (write) => committer.snapshot(write),
      readSnapshot: (kept) => committer.readSnapshot(kept),
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
