import type { Context as LambdaContext, SQSBatchResponse } from 'aws-lambda';
import type { SqsBatchHandler } from '../../lib/compose/handler/batch-handler.ts';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import type { Clock } from '../../lib/kernel/clock.ts';
import { relayRecords } from '../../lib/relay/relay.ts';
import { changesOf } from '../../lib/relay/stream-changes.dynamodb.ts';
import { listUnsent } from '../../lib/relay/watch.ts';
import { Call, type CallRequest } from './call.ts';
import { endpointHandler } from './endpoint-handler.ts';
import { Invocation } from './invocation.ts';
import { simulatedMerger } from './simulated-committer.ts';
import { relayPorts, watchedTable } from './simulated-ports.ts';
import type { Received } from './simulated-queue.ts';
import type { StreamBatch } from './simulated-stream.ts';
import { settled } from './simulated-time.ts';
import type { World } from './world.ts';

export const INVOCATION_MS = 30_000;
export const RELAY_LEASE_MS = 10_000;

/** A function instance: it runs one invocation at a time, freezes between two, and dies once. */
export class Instance {
  readonly number: number;
  readonly name: string;
  readonly world: World;
  readonly clock: Clock;
  /** Of all endpoints: commits of one function share calls. */
  readonly merger = simulatedMerger(this);
  pending: Call[] = [];
  invocation: Invocation | undefined;
  isDead = false;
  readonly #handlers = new Map<string, SqsBatchHandler>();
  readonly #invocationOf = new WeakMap<CapacityMeter, Invocation>();
  #cancelDeadline: () => void = () => {};
  #sleeping = 0;

  constructor(number: number, world: World, clockOffsetMs: number) {
    this.number = number;
    this.name = `worker ${number}`;
    this.world = world;
    this.clock = {
      now: () => new Date(world.time.nowMs + clockOffsetMs),
      sleep: (durationMs, signal) => this.#sleep(durationMs, signal),
    };
  }

  /** Whether it has an invocation that is not acknowledged yet. */
  get isBusy(): boolean {
    return this.invocation !== undefined;
  }

  /** Whether it waits for time to pass. */
  get nextTimerMs(): number | undefined {
    const times = this.world.time.of(this).map(({ atMs }) => atMs);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Whether nothing will go on before the end of its invocation is near: its messages wait for each other. */
  get isStuck(): boolean {
    const isOngoing = this.invocation?.hasReturned === false && !this.invocation.isNearEnd;
    return isOngoing && this.pending.length === 0 && this.#sleeping === 0;
  }

  /** The answer comes when the run says so; to a dead instance it never comes. */
  call<T>(request: CallRequest<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (this.isDead) return promise;
    this.#assertRunning(request as CallRequest<unknown>);
    const isSlow = request.port === this.world.scenario.slowPort;
    const call = new Call(request, this.invocation, isSlow, (answer) => {
      if ('error' in answer) reject(answer.error);
      else resolve(answer.value);
    });
    if (request.port === 'acquire' && request.leaseOwner !== undefined)
      this.invocation?.leaseOwners.add(request.leaseOwner);
    this.pending.push(call as Call);
    return promise;
  }

  takeOut(call: Call): void {
    this.pending = this.pending.filter((pending) => pending !== call);
  }

  async receive(received: readonly Received[]): Promise<void> {
    const endpoint = received[0]?.arrival.endpoint ?? '';
    const form = this.world.formOf(this.number);
    const key = `${endpoint} ${form}`;
    const handler = this.#handlers.get(key) ?? endpointHandler(this, endpoint, form);
    this.#handlers.set(key, handler);
    const deadlineMs = this.#begin(received);
    const context = { getRemainingTimeInMillis: () => deadlineMs - this.world.time.nowMs } as LambdaContext;
    const event = { Records: received.map(({ record }) => record) };
    handler(event, context).then(
      (response) => this.#returned(response),
      (error) => this.world.violate('kept', `${this.name}: the whole batch fails: ${error}`),
    );
    await settled();
  }

  async relay(endpoint: string, olderThanMs: number): Promise<void> {
    this.#begin([]);
    const running = relayRecords(relayPorts(this, endpoint), {
      olderThanMs,
      leaseDurationMs: RELAY_LEASE_MS,
      concurrency: 2,
      includePostponed: false,
      newLeaseOwner: () => `relay of ${this.name} ${this.world.watch.moment} ${this.world.random()}`,
      signal: new AbortController().signal,
    });
    const relayed = running.then(async (result) => {
      this.world.coverage.add('records relayed', result.dispatched);
      const problem = this.invocation?.relay.problemOf(result);
      if (problem) this.world.violate('I5', problem);
    });
    relayed.then(
      () => this.#returned({ batchItemFailures: [] }),
      (error) => this.world.violate('kept', `${this.name}: the relay fails: ${error}`),
    );
    await settled();
  }

  /** The batch is over when its success has reached the platform; else it comes again. */
  async watch(batch: StreamBatch): Promise<void> {
    const { world } = this;
    this.#begin([]);
    const { invocation } = this;
    batch.isUnderWay = () => !this.isDead && this.invocation === invocation;
    const records = batch.recordsOf(world.scenario.streamView);
    const changes = changesOf(records, { ...tableDefaults, tableName: 'outbox' });
    const terms = { table: watchedTable(this), now: this.clock.now(), meter: new CapacityMeter() };
    const response = { batchItemFailures: [] };
    listUnsent(changes, terms).then(
      () => this.#returned(response, batch.done),
      (error) => {
        world.coverage.add('batches of the stream that fail');
        world.tell(() => `${this.name}: the batch fails, and comes again: ${error}`);
        this.#returned(response);
      },
    );
    await settled();
  }

  /** It goes on no more; its calls are left to whoever ended it. */
  die(): Call[] {
    this.isDead = true;
    this.world.time.drop(this);
    if (this.invocation) this.world.running.delete(this.invocation);
    const left = this.pending;
    this.pending = [];
    return left;
  }

  #begin(received: readonly Received[]): number {
    const { time, watch } = this.world;
    this.invocation = new Invocation(this, received, watch.moment);
    this.world.running.add(this.invocation);
    this.#cancelDeadline = time.start(this, INVOCATION_MS, () => this.#timedOut());
    return time.nowMs + INVOCATION_MS;
  }

  #timedOut(): void {
    this.world.tell(() => `${this.name} is ended by the platform: its time is up`);
    const isScheduled = this.invocation?.received.length === 0;
    if (isScheduled) this.world.coverage.add('relays and watchers timed out');
    else this.world.violate('I7', `${this.name} is ended by the platform before it has answered`);
    for (const call of this.die()) if (!call.isApplied) this.world.leaveUnderWay(call);
  }

  #returned(response: SQSBatchResponse, onAcknowledged?: () => void): void {
    this.#cancelDeadline();
    if (this.invocation) this.world.running.delete(this.invocation);
    this.invocation?.returned(response, onAcknowledged);
  }

  #assertRunning({ port, about, meter }: CallRequest<unknown>): void {
    const invocation = this.invocation;
    if (invocation === undefined || invocation.hasReturned) {
      if (port !== 'acknowledge' && port !== 'pause') {
        this.world.violate('I6', `${this.name} calls ${port} ${about()} after it has returned`);
      }
      return;
    }
    const root = meter?.parent;
    if (root === undefined) return;
    const begunIn = this.#invocationOf.get(root) ?? invocation;
    this.#invocationOf.set(root, begunIn);
    if (begunIn !== invocation) {
      this.world.violate('I6', `${this.name} calls ${port} ${about()} for an invocation that has returned`);
    }
  }

  #sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (this.isDead) return;
      if (signal?.aborted) return resolve();
      this.#sleeping += 1;
      const wake = () => {
        cancel();
        this.#sleeping -= 1;
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = this.world.time.start(this, durationMs, wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
