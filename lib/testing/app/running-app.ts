import { sagaKey } from '../../dynamodb/keys.ts';
import type { Clock } from '../../kernel/clock.ts';
import { configurationError, isSagaboxError, SagaboxError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import type { MessageReport } from '../../observe/hooks.ts';
import { MemoryStorage } from '../memory/storage.ts';
import type { TestTime } from '../session/session-runner.ts';
import { TestTables } from '../tables/test-tables.ts';
import { testDefaults } from '../test-defaults.ts';
import {
  type AppEndpoint,
  type AppSession,
  appDefaults,
  assertAppOptions,
  isEndpoint,
  isSession,
  type TestAppOptions,
} from './app-options.ts';
import { assertContractClaims } from './contract-claims.ts';
import { type AppDelivery, EndpointInApp } from './endpoint-in-app.ts';
import { Network } from './network.ts';
import { PlannedFailures } from './planned-failures.ts';
import { SeededRandom } from './seeded-random.ts';
import { SessionInApp } from './session-in-app.ts';
import type { QueuedMessage } from './test-queue.ts';
import { inTurns, settled, Turns } from './turns.ts';

/** Invocations at a time, with a seed. */
const MAX_RUNNING = 4;
/** Messages of one invocation, with a seed. */
const MAX_BATCH = 5;
const MAX_NAMED_TYPES = 5;

/** Runs the endpoints of an app, on one clock. */
export class RunningApp {
  readonly endpoints: ReadonlyMap<string, EndpointInApp>;
  readonly sessions: ReadonlyMap<string, SessionInApp>;
  readonly network: Network;
  readonly failures = new PlannedFailures();
  readonly storage = new MemoryStorage();
  readonly tables: TestTables;
  readonly #options: TestAppOptions;
  readonly #turns = new Turns();
  readonly #random: SeededRandom | undefined;
  readonly #endedSagas = new Set<string>();
  #deliveries: AppDelivery[] = [];
  #started = 0;
  /** Why no further invocation begins. */
  #stopped: { readonly error: unknown } | undefined;
  #now: Date;

  constructor(given: readonly (AppEndpoint | AppSession)[], options: TestAppOptions) {
    assertAppOptions(given, options);
    const endpoints = given.filter(isEndpoint);
    const sessions = given.filter(isSession);
    this.#options = options;
    this.tables = new TestTables(options.tables);
    this.#now = options.now ?? testDefaults.now;
    this.#random = options.seed === undefined ? undefined : new SeededRandom(options.seed);
    const clock: Clock = { now: () => this.now, sleep: async () => {} };
    this.network = new Network(endpoints, sessions, options, clock);
    const { destinations } = this.network;
    assertContractClaims(given, (name) => (destinations.get(name)?.kind ?? 'queue') !== 'queue');
    const shared = {
      options,
      storage: this.storage,
      tables: this.tables,
      bodies: new Map<string, string>(),
      network: this.network,
      clock,
      random: () => this.#random?.next() ?? 0,
      portsOf: (ports: Parameters<typeof inTurns>[0]) =>
        this.#random === undefined ? ports : inTurns(ports, this.#turns),
      onMessage: (report: MessageReport) => this.#onMessage(report),
      definitionOf: this.failures.failing.bind(this.failures),
    };
    this.endpoints = new Map(endpoints.map((each) => [each.endpoint, new EndpointInApp(each, shared)]));
    const sessionInApp = (each: AppSession) => new SessionInApp(each, shared, this.#time);
    this.sessions = new Map(sessions.map((each) => [each.endpoint, sessionInApp(each)]));
  }

  get #time(): TestTime {
    const app = this;
    return {
      get now() {
        return app.now;
      },
      moveBy: (durationMs) => this.#moveTo(new Date(this.now.getTime() + durationMs)),
    };
  }

  get now(): Date {
    return new Date(this.#now);
  }

  endpoint(name: string): EndpointInApp {
    const endpoint = this.endpoints.get(name);
    if (endpoint) return endpoint;
    const known = [...this.endpoints.keys()].join(', ');
    throw configurationError(
      'testApp',
      `it has no endpoint '${name}' (known: ${known})`,
      'Name one of these',
    );
  }

  session(name: string): SessionInApp {
    const session = this.sessions.get(name);
    if (session) return session;
    const known = [...this.sessions.keys()].join(', ') || 'none';
    const problem = `it has no session '${name}' (known: ${known})`;
    throw configurationError(
      'testApp: run',
      problem,
      "Give it, as in { endpoint: 'api', session: placeOrder }",
    );
  }

  isCompleted(sagaName: string, sagaId: string): boolean {
    const key = sagaKey({ name: sagaName, id: sagaId }).partition;
    return this.#endedSagas.has(key) && !this.#exists(key);
  }

  /**
   * Until nothing is left but what is delayed beyond this time. Retries are no such delay: the clock moves on
   * to them.
   */
  async deliverUntil(end: Date): Promise<readonly AppDelivery[]> {
    this.#deliveries = [];
    this.#started = 0;
    this.#stopped = undefined;
    for (;;) {
      this.network.deliverDue();
      await (this.#random ? this.#deliverSideBySide(this.#random) : this.#deliverInOrder());
      this.#assertNotStopped();
      const { next, lastRetry = end } = this.#nextTimes();
      if (next === undefined || next > (lastRetry > end ? lastRetry : end)) break;
      this.#moveTo(next);
    }
    this.#moveTo(end);
    return this.#deliveries;
  }

  #assertNotStopped(): void {
    if (this.#stopped) throw this.#stopped.error;
  }

  async #deliverInOrder(): Promise<void> {
    for (;;) {
      const [first] = this.#deliverable();
      if (first === undefined || this.#stopped) return;
      await this.#invoke(first.endpoint, [first.message]);
    }
  }

  /** At each step a waiting call goes on, or another invocation begins. */
  async #deliverSideBySide(random: SeededRandom): Promise<void> {
    const running = new Set<Promise<void>>();
    for (;;) {
      await settled();
      const mayStart = running.size < MAX_RUNNING && !this.#stopped;
      const endpoints = mayStart ? [...new Set(this.#deliverable().map(({ endpoint }) => endpoint))] : [];
      const choice = random.below(this.#turns.waiting + endpoints.length);
      const endpoint = endpoints[choice - this.#turns.waiting];
      if (choice < this.#turns.waiting) this.#turns.give(choice);
      else if (endpoint) {
        const invocation = this.#invoke(endpoint, this.#batchOf(endpoint, random)).finally(() =>
          running.delete(invocation),
        );
        running.add(invocation);
      } else if (running.size === 0) return;
      // A handler waits for something of its own.
      else await Promise.race([this.#turns.arrival, ...running]);
    }
  }

  #batchOf(endpoint: EndpointInApp, random: SeededRandom): QueuedMessage[] {
    const visible = endpoint.queue.visible(this.#now);
    const size = 1 + random.below(Math.min(visible.length, MAX_BATCH));
    // Those of a FIFO group stay in their order.
    if (endpoint.queue.isFifo) return visible.slice(0, size);
    return Array.from({ length: size }, () => visible.splice(random.below(visible.length), 1)).flat();
  }

  /** In the order of their times; of those of one time, in the order in which they were sent. */
  #deliverable() {
    const endpoints = [...this.endpoints.values()];
    return endpoints
      .flatMap((endpoint) => endpoint.queue.first(this.#now).map((message) => ({ endpoint, message })))
      .toSorted(
        ({ message: one }, { message: other }) =>
          +one.visibleAt - +other.visibleAt || one.order - other.order,
      );
  }

  /** Never throws: other invocations that run beside it end first. */
  async #invoke(endpoint: EndpointInApp, messages: readonly QueuedMessage[]): Promise<void> {
    const { maxDeliveries = appDefaults.maxDeliveries, throwOnFailure = true } = this.#options;
    const stop = (error: unknown) => {
      this.#stopped ??= { error };
    };
    this.#started += messages.length;
    if (this.#started > maxDeliveries) return stop(neverQuiet(this.#deliveries, maxDeliveries));
    try {
      for (const delivery of await endpoint.invoke(messages)) {
        this.#deliveries.push(delivery);
        const isUnplanned = delivery.outcome === 'errorQueue' && !this.failures.isPlanned(delivery.error);
        if (isUnplanned && throwOnFailure) stop(messageFailed(delivery));
        if (isUnsent(delivery.error) && throwOnFailure) stop(delivery.error);
      }
    } catch (error) {
      stop(error);
    }
  }

  /** A saga that a handled message has not left behind was completed. */
  #onMessage({ outcome, sagaName, sagaId }: MessageReport): void {
    if (outcome !== 'handled' || sagaName === undefined || sagaId === undefined) return;
    const key = sagaKey({ name: sagaName, id: sagaId }).partition;
    if (!this.#exists(key)) this.#endedSagas.add(key);
  }

  #exists(key: string): boolean {
    return this.storage.sagaItem(key, 'latest')?.isTombstone === false;
  }

  /** When the next message can be delivered, and when no retry is left. */
  #nextTimes(): { readonly next: Date | undefined; readonly lastRetry: Date | undefined } {
    const queued = [...this.network.queues.values()].flatMap(({ messages }) => messages);
    const retries = queued.filter(({ receiveCount }) => receiveCount > 0);
    const isAhead = (time: Date) => time > this.#now;
    // One that is behind another of its FIFO group may be past its own time.
    const waiting = queued.map(({ visibleAt }) => visibleAt).filter(isAhead);
    const due = this.network.scheduler.waiting.map(({ dueAt }) => dueAt);
    const inOrder = [...waiting, ...due].toSorted((one, other) => +one - +other);
    const retriesInOrder = retries.map(({ visibleAt }) => visibleAt).toSorted((one, other) => +one - +other);
    return { next: inOrder[0], lastRetry: retriesInOrder.at(-1) };
  }

  /** Never backwards. */
  #moveTo(time: Date): void {
    if (time > this.#now) this.#now = time;
    this.network.deliverDue();
  }
}

function isUnsent(error: unknown): boolean {
  return isSagaboxError(error) && error.code === 'ImmediateSendFailed';
}

function neverQuiet(deliveries: readonly AppDelivery[], maxDeliveries: number): SagaboxError<'NeverQuiet'> {
  const counts = new Map<string, number>();
  for (const { endpoint, type } of deliveries) {
    const name = `'${type}' at '${endpoint}'`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MAX_NAMED_TYPES);
  const messages = most.map(([name, count]) => `${name} (${count} times)`);
  return new SagaboxError('NeverQuiet', { maxDeliveries, messages });
}

function messageFailed({ endpoint, messageId, type, receiveCount, error }: AppDelivery) {
  const facts = { endpoint, messageId, messageType: type, receiveCount, detail: thrownMessage(error) };
  return new SagaboxError('MessageFailed', facts, { cause: error });
}
