import type { ItemKey } from '../../lib/dynamodb/keys.ts';
import type { Tally } from '../support/tally.ts';
import type { Call, Manner, Port } from './call.ts';
import { carryOut, crash, type Fate, type LastFate } from './fates.ts';
import { INVOCATION_MS, Instance } from './instance.ts';
import { DEDUPLICATION_MS, MAX_CLOCK_OFFSET_MS, type Scenario } from './scenario.ts';
import { SHARDS } from './simulated-stream.ts';
import { settled } from './simulated-time.ts';
import { MAX_UNDER_WAY_MS, World } from './world.ts';

/** More than any run takes to come to rest, by far. */
const MAX_STEPS_TO_REST = 5_000;
/** More than any stream of a history has. */
const ALL_CHANGES = 10_000;
/** Longer than a lease of the relay, and than a function may run. */
const RELAY_INTERVAL_MS = 61_000;

/** By the clocks of whoever wrote last, and of whoever takes over. */
const CHANGEOVER_MS = DEDUPLICATION_MS + 2 * MAX_CLOCK_OFFSET_MS;

/** One run: the workers and what they share, moved on step by step. */
export class Simulation {
  readonly world: World;
  readonly #instances: Instance[];
  /** Before what is left in the queues comes again. */
  #relayComesFirst = false;

  constructor(scenario: Scenario, coverage: Tally, trace?: string[]) {
    this.world = new World(scenario, coverage, trace);
    this.#instances = scenario.clockOffsetsMs.map((_offset, index) => this.#newInstance(index));
  }

  /** A worker that died begins anew, as another instance of the function. */
  instance(worker: number): Instance {
    const index = worker % this.#instances.length;
    const instance = this.#instances[index];
    if (instance && !instance.isDead) return instance;
    const next = this.#newInstance(index);
    this.#instances[index] = next;
    return next;
  }

  /**
   * The next thing that a worker can do: take messages, get an answer, or wake up.
   *
   * @param port of the call that is answered, when there is one
   */
  async proceed(worker: number, choice: number, fate: Fate = 'answered', port?: Port): Promise<boolean> {
    const instance = this.instance(worker);
    if (!instance.isBusy) {
      if (!(await this.#receive(instance, choice))) return false;
      if (fate === 'answered') return true;
    }
    const call =
      instance.pending.find(({ request }) => request.port === port) ?? callOf(instance, choice, fate);
    if (call) {
      await carryOut(instance, call, fate);
      return true;
    }
    const { nextTimerMs } = instance;
    if (nextTimerMs === undefined || instance.isStuck) {
      this.world.violate('rest', `${instance.name} waits for nothing, and does not return`);
      return false;
    }
    await this.world.pass(nextTimerMs - this.world.time.nowMs);
    return true;
  }

  waitsFor(worker: number, port: Port): boolean {
    return this.instance(worker).pending.some(({ request }) => request.port === port);
  }

  /** Only a worker that does something: to another it makes no difference. */
  async crash(worker: number, lastFate: LastFate): Promise<boolean> {
    const instance = this.instance(worker);
    if (instance.isBusy) await crash(instance, lastFate);
    return instance.isDead;
  }

  /** A call of a caller that gave it up, or died, takes effect. */
  async arriveLate(choice: number): Promise<boolean> {
    const { underWay, coverage } = this.world;
    const call = underWay[choice % Math.max(1, underWay.length)];
    if (call === undefined) return false;
    underWay.splice(underWay.indexOf(call), 1);
    coverage.add(`arrived late: ${call.request.port}`);
    this.world.tell(() => `${call.request.port} ${call.request.about()} takes effect only now`);
    await call.apply();
    await settled();
    return true;
  }

  /** An item of a commit becomes visible, whose answer nobody has received. */
  show(choice: number): boolean {
    const { watch, coverage } = this.world;
    const key = watch.visibility.showOne(choice);
    if (key === undefined) return false;
    coverage.add('items shown before the answer');
    this.world.tell(() => `${key} becomes visible`);
    return true;
  }

  /** A message is delivered once more, though the first worker may still have it. */
  redeliver(choice: number): boolean {
    const { queue, time, coverage } = this.world;
    const arrival = queue.redeliver(choice, time.nowMs);
    if (arrival === undefined) return false;
    coverage.add('messages visible again');
    this.world.tell(() => `${arrival.messageId} is visible again`);
    return true;
  }

  /** A stricter schema is deployed: it refuses what was taken before. */
  tightenSchema(): void {
    this.world.isStrict = true;
    this.world.coverage.add('schemas tightened');
    this.world.tell(() => 'the schema becomes stricter');
  }

  /** A second copy of a message arrives, at any time after the first. */
  duplicate(choice: number): boolean {
    const { queue, coverage, watch } = this.world;
    const arrival = queue.arrived[choice % queue.arrived.length];
    if (arrival === undefined) return false;
    const isCommitted = watch.undispatched(arrival.endpoint, arrival.messageId) === undefined;
    coverage.add(isCommitted ? 'duplicates after the end' : 'duplicates before the end');
    this.world.tell(() => `a second copy of ${arrival.messageId} arrives`);
    this.world.arrive(arrival);
    return true;
  }

  /** A copy of a committed message arrives, so late that there is hardly time to take it. */
  async duplicateLast(choice: number, beforeMs: number): Promise<boolean> {
    const { queue, watch, coverage } = this.world;
    const committed = queue.arrived.filter((arrival) => (watch.comesAgainForMs(arrival) ?? 0) > beforeMs);
    const arrival = committed[choice % Math.max(1, committed.length)];
    if (arrival === undefined) return false;
    await this.#settleAll();
    const waitMs = (watch.comesAgainForMs(arrival) ?? 0) - beforeMs;
    if (waitMs < 0) return false;
    await this.world.pass(waitMs);
    coverage.add('copies at the end of the deduplication period');
    this.world.tell(() => `a last copy of ${arrival.messageId} arrives`);
    this.world.arrive(arrival);
    queue.preferId(arrival.messageId);
    return true;
  }

  /** So much time that all that was under way has ended before, one way or another. */
  async waitLong(durationMs: number): Promise<void> {
    await this.#settleAll();
    this.world.tell(() => `${durationMs / 60_000} minutes pass`);
    await this.world.pass(durationMs);
  }

  /** The next forms of the outbox, once those before them have ended. */
  async deploy(): Promise<boolean> {
    const { world } = this;
    if (!world.hasNextPhase) return false;
    if (world.isOnTheWay) {
      await this.waitLong(CHANGEOVER_MS);
      while (world.watch.pendingItems.length > 0 && (await this.#relayToTheEnd()));
      // A deployment takes longer than a replica is behind.
      await this.#settleAll();
    }
    world.deployNext();
    return true;
  }

  async #relayToTheEnd(): Promise<boolean> {
    await this.readOn(0);
    await this.world.pass(RELAY_INTERVAL_MS);
    return (await this.relay(0, 0)) && (await this.#finish(0));
  }

  /** Whatever the worker does. @returns false when it does not come to an end */
  async #finish(worker: number): Promise<boolean> {
    while (this.instance(worker).isBusy) if (!(await this.proceed(worker, 0))) return false;
    return true;
  }

  get hasPendingTombstone(): boolean {
    return this.world.watch.pendingItems.some(([, { isTombstone }]) => isTombstone);
  }

  get hasTombstone(): boolean {
    return [...this.world.watch.storage.embedded.values()].some(({ isTombstone }) => isTombstone);
  }

  /** The time to live deletes what has expired. */
  deleteExpired(choice: number): boolean {
    const { world } = this;
    const sagaId = world.watch.deleteExpired(choice);
    if (sagaId === undefined) return false;
    world.tell(() => `the expired item of saga ${sagaId} is deleted`);
    world.sagaWritten(sagaId, undefined);
    return true;
  }

  /** Invocations end, and calls that they left behind; a function that is still busy with its end is stopped. */
  async #settleAll(): Promise<void> {
    const { world } = this;
    await world.pass(INVOCATION_MS);
    await world.pass(MAX_UNDER_WAY_MS);
    for (const instance of this.#instances)
      if (instance.isBusy && !instance.isDead) await crash(instance, 'dropped');
    world.watch.visibility.showAll();
    world.watch.replicasCaughtUp();
    // Long before the stream forgets a change.
    await this.readOn(0);
  }

  /** The watcher is given a batch of changes. */
  async watchStream(worker: number, shard: number, size: number): Promise<boolean> {
    const instance = this.instance(worker);
    const { watch, coverage } = this.world;
    const isThere = ({ partition }: ItemKey) => !watch.visibility.isHidden(partition);
    const batch = instance.isBusy ? undefined : watch.storage.stream.take(shard, size, isThere);
    if (batch === undefined) return false;
    coverage.add('batches of the stream');
    this.world.tell(() => `${instance.name} is given ${batch.length} changes of shard ${shard}`);
    await instance.watch(batch);
    return true;
  }

  /** The watcher reads all that is in the stream, if nobody else has a batch of it. */
  async readOn(worker: number): Promise<void> {
    for (let shard = 0; shard < SHARDS; shard += 1) {
      if (!(await this.watchStream(worker, shard, ALL_CHANGES))) continue;
      if (!(await this.#finish(worker))) return;
    }
  }

  newMapping(): void {
    this.world.watch.storage.stream.beginAnew();
    this.world.coverage.add('event source mappings made anew');
    this.world.tell(() => 'the event source mapping of the stream is made anew');
  }

  /** Of an endpoint that has something on its list. */
  async relay(worker: number, olderThanMs: number): Promise<boolean> {
    const instance = this.instance(worker);
    const { endpoint } = this.world.unsent;
    if (instance.isBusy || endpoint === undefined) return false;
    this.world.coverage.add('relay runs');
    this.world.tell(() => `${instance.name} runs the relay of ${endpoint}`);
    await instance.relay(endpoint, olderThanMs);
    return true;
  }

  get hasUndispatched(): boolean {
    const { storage, pendingItems } = this.world.watch;
    return pendingItems.length > 0 || [...storage.records.values()].some(({ dispatched }) => !dispatched);
  }

  /** The faults stop: running work ends, and what waits is delivered, fired and relayed. */
  async comeToRest(): Promise<void> {
    this.world.tell(() => 'the faults stop');
    while (await this.arriveLate(0)) this.world.assertHolds();
    this.#relayComesFirst = this.world.random() < 0.5;
    for (let steps = 0; steps < MAX_STEPS_TO_REST; steps += 1) {
      const busy = this.#instances.findIndex(({ isBusy, isDead }) => isBusy && !isDead);
      const isGoing = busy >= 0 ? await this.proceed(busy, 0) : await this.#next();
      this.world.assertHolds();
      if (!isGoing) return this.#checkEnd();
    }
    this.world.violate('rest', `it does not come to rest in ${MAX_STEPS_TO_REST} steps`);
    this.world.assertHolds();
  }

  async #next(): Promise<boolean> {
    const { queue, time, scheduler, watch } = this.world;
    // Also of a commit that an invocation has left behind, and that took effect since.
    watch.visibility.showAll();
    if (this.#relayComesFirst && (await this.#sendRest())) return true;
    const { nextVisibleAtMs } = queue;
    if (nextVisibleAtMs !== undefined) {
      if (nextVisibleAtMs > time.nowMs) await this.world.pass(nextVisibleAtMs - time.nowMs);
      // Those that were delivered too often are gone with the first look.
      await this.proceed(0, 0);
      return true;
    }
    const [due] = scheduler.waiting;
    if (due) {
      await this.world.pass(Math.max(0, due.dueAt.getTime() - time.nowMs));
      return true;
    }
    return await this.#sendRest();
  }

  /** By the watcher and the relay alone. @returns false when all is sent, and nothing is on a list */
  async #sendRest(): Promise<boolean> {
    for (let shard = 0; shard < SHARDS; shard += 1)
      if (await this.watchStream(0, shard, ALL_CHANGES)) return true;
    if (this.world.unsent.endpoint !== undefined) {
      await this.world.pass(RELAY_INTERVAL_MS);
      return await this.relay(0, 0);
    }
    if (this.hasUndispatched) this.world.violate('I3', 'something is committed and not sent, and on no list');
    return false;
  }

  #checkEnd(): void {
    const { watch, queue, forwarded } = this.world;
    watch.checkEnd();
    const deadLetters = new Set(
      queue.deadLetters.map(({ endpoint, messageId }) => `${endpoint} ${messageId}`),
    );
    for (const arrival of queue.arrived) {
      const { endpoint, messageId } = arrival;
      const key = `${endpoint} ${messageId}`;
      if (forwarded.has(key) || deadLetters.has(key)) continue;
      const reason = watch.undispatched(endpoint, messageId);
      if (reason) this.world.violate('kept', `'${messageId}' is gone, but ${reason}`);
    }
    this.world.coverage.add('messages in dead letter queues', deadLetters.size);
    this.world.coverage.add('messages in error queues', forwarded.size);
    this.world.assertHolds();
  }

  async #receive(instance: Instance, choice: number): Promise<boolean> {
    const { queue, time, scenario, coverage, watch } = this.world;
    if (scenario.embedded) queue.forget((arrival) => watch.isOver(arrival));
    const received = queue.receive(time.nowMs, choice, scenario.batchSize);
    if (received.length === 0) return false;
    coverage.add('deliveries', received.length);
    coverage.add('redeliveries', received.filter(({ receiveCount }) => receiveCount > 1).length);
    this.world.tell(() => {
      const texts = received.map(({ arrival }) => `${arrival.type} ${arrival.messageId}`);
      return `${instance.name} receives ${texts.join(', ')}`;
    });
    await instance.receive(received);
    return true;
  }

  #newInstance(index: number): Instance {
    const offsetMs = this.world.scenario.clockOffsetsMs[index] ?? 0;
    return new Instance(index + 1, this.world, offsetMs);
  }
}

/** One that can meet the fate, and is not slow, if there is any. */
function callOf({ pending }: Instance, choice: number, fate: Fate): Call | undefined {
  const mannered = pending.filter(({ request }) => request.manners?.includes(fate as Manner));
  const fast = pending.filter(({ isSlow }) => !isSlow);
  const among = [mannered, fast, pending].find(({ length }) => length > 0) ?? [];
  return among[choice % Math.max(1, among.length)];
}
