import { headerNames } from '../../lib/messages/headers.ts';
import type { OutgoingMessage } from '../../lib/messages/message.ts';
import { sagaGroupId } from '../../lib/messages/wire-format/group-id.ts';
import { wireAttributes, wireBody } from '../../lib/messages/wire-format/wire.ts';
import type { SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';
import { MemoryScheduler } from '../../lib/testing/memory/scheduler.ts';
import type { Tally } from '../support/tally.ts';
import type { Call } from './call.ts';
import type { Invocation } from './invocation.ts';
import { endpointNames, publishedNote, sagaName } from './message-script.ts';
import { phasesOf } from './outbox-plans.ts';
import type { Scenario } from './scenario.ts';
import { type Arrival, SimulatedQueue } from './simulated-queue.ts';
import { SimulatedTime, settled } from './simulated-time.ts';
import { UnsentLists } from './unsent-lists.ts';
import { type Invariant, Violation } from './violation.ts';
import { Watch } from './watch.ts';

/** Its time is told in whole seconds. */
const DUE_PRECISION_MS = 1_000;

/** Of a call that nobody waits for. */
export const MAX_UNDER_WAY_MS = 60_000;

/** All that the workers share: time, queues, schedules, the storage, and what is checked of them. */
export class World {
  readonly scenario: Scenario;
  readonly coverage: Tally;
  readonly time = new SimulatedTime();
  readonly queue = new SimulatedQueue();
  readonly scheduler = new MemoryScheduler();
  readonly unsent = new UnsentLists();
  readonly watch: Watch;
  /** Calls of workers that have given them up, or died: they may still take effect. */
  readonly underWay: Call[] = [];
  isStrict = false;
  readonly running = new Set<Invocation>();
  /** What became of messages that were not committed, by endpoint and id. */
  readonly forwarded = new Set<string>();
  readonly #attempts = new Map<string, number>();
  readonly #trace: string[] | undefined;
  readonly #latestMs = new Map<Call, number>();
  #violation: Violation | undefined;
  #chance = 1;
  #phase = 0;

  /** @param trace takes what happens, in words */
  constructor(scenario: Scenario, coverage: Tally, trace?: string[]) {
    this.scenario = scenario;
    this.coverage = coverage;
    this.#trace = trace;
    this.watch = new Watch({
      coverage,
      mode: scenario.mode,
      isEmbedded: scenario.embedded !== undefined,
      violate: (invariant, text) => this.violate(invariant, text),
      random: () => this.random(),
      nowMs: () => this.time.nowMs,
    });
    for (const [index, { type, isPublished, ...body }] of scenario.messages.entries()) {
      const messageId = `m${index + 1}`;
      const headers = { [headerNames.messageId]: messageId, [headerNames.messageType]: type };
      const group = this.#groupOf(body.saga);
      const arrival = { messageId, type, body: JSON.stringify(body), headers, group };
      this.arrive({ endpoint: endpointNames.orders, ...arrival });
      if (isPublished) this.#arriveAtAudit(messageId, body.saga);
    }
  }

  /** Of a message to the saga, where its queue keeps an order. */
  #groupOf(saga: string): string | undefined {
    const { order } = this.scenario;
    if (order === 'none') return undefined;
    return order === 'bySaga' ? sagaGroupId({ name: sagaName, id: saga }) : 'together';
  }

  #arriveAtAudit(messageId: string, saga: string): void {
    const type = 'Note';
    const headers = { [headerNames.messageId]: messageId, [headerNames.messageType]: type };
    const body = JSON.stringify(publishedNote(saga));
    const group = sagaGroupId({ name: sagaName, id: saga });
    this.arrive({ endpoint: endpointNames.audit, messageId, type, body, headers, group });
  }

  /** What a worker has that begins an invocation now. */
  formOf(worker: number): SagaOutboxForm {
    const forms = this.#forms;
    return forms[worker % forms.length] ?? forms[0];
  }

  /** Whether what comes next does not know all that was there before. */
  get isOnTheWay(): boolean {
    return this.#forms.length === 1 && this.#forms[0] === 'both' && this.hasNextPhase;
  }

  get hasNextPhase(): boolean {
    return this.#phase + 1 < this.#phases.length;
  }

  deployNext(): void {
    this.#phase += 1;
    this.coverage.add(`deployments of ${this.#forms.join('+')}`);
    this.tell(() => `the saga has outbox ${this.#forms.join(', and ')}`);
  }

  get #phases() {
    return phasesOf(this.scenario.outbox ?? 'records');
  }

  get #forms() {
    return this.#phases[this.#phase] ?? this.#phases[0] ?? ['records'];
  }

  tell(text: () => string): void {
    this.#trace?.push(`${(this.time.elapsedMs / 1000).toFixed(3).padStart(9)} s  ${text()}`);
  }

  /** The first one counts; the run ends with it. */
  violate(invariant: Invariant, text: string): void {
    if (this.#violation === undefined) this.tell(() => `VIOLATION of ${invariant}: ${text}`);
    this.#violation ??= new Violation(invariant, text);
  }

  assertHolds(): void {
    if (this.#violation) throw this.#violation;
  }

  arrive(arrival: Arrival, delayMs = 0): void {
    const { endpoint, messageId: id, type, body, headers } = arrival;
    const isTimeout = headers[headerNames.timeout] === 'true';
    this.watch.messages.set(`${endpoint} ${id}`, { endpoint, id, type, body: JSON.parse(body), isTimeout });
    const isOrdered = endpoint === endpointNames.orders || this.scenario.hasFifoQueue;
    const group = isOrdered ? arrival.group : undefined;
    this.queue.put({ ...arrival, group }, this.time.nowMs, delayMs);
  }

  deliver(message: OutgoingMessage): void {
    const { id, type, destination, delaySeconds = 0, messageGroupId } = message;
    const headers = wireAttributes(message);
    const { saga } = message.body as { saga: string };
    // A timeout waits for its own time, not for others.
    const isOrdered = destination === endpointNames.orders && type !== 'Elapsed';
    const group = isOrdered ? this.#groupOf(saga) : messageGroupId;
    this.#checkTime(id, this.time.nowMs + delaySeconds * 1000);
    this.arrive(
      { endpoint: destination, messageId: id, type, body: wireBody(message), headers, group },
      delaySeconds * 1000,
    );
  }

  /** A message of a FIFO group takes effect: those ahead of it have ended. */
  checkOrder(endpoint: string, messageId: string): void {
    const { arrived } = this.queue;
    const index = arrived.findIndex((each) => each.endpoint === endpoint && each.messageId === messageId);
    const group = arrived[index]?.group;
    if (group === undefined) return;
    const left = arrived.slice(0, index).find((ahead) => {
      const isOfGroup = ahead.endpoint === endpoint && ahead.group === group;
      return isOfGroup && !this.#hasEnded(ahead);
    });
    if (left) this.violate('order', `'${messageId}' is committed before '${left.messageId}' of its group`);
  }

  #hasEnded(arrival: Arrival): boolean {
    const { endpoint, messageId } = arrival;
    const { queue, watch, forwarded } = this;
    return (
      watch.isCommitted(arrival) ||
      forwarded.has(`${endpoint} ${messageId}`) ||
      queue.deadLetters.some((dead) => dead.endpoint === endpoint && dead.messageId === messageId) ||
      queue.isLastDelivery(arrival)
    );
  }

  /** A message that is to wait comes at its time by the clock of whoever sends it, and not before. */
  #checkTime(messageId: string, visibleAtMs: number): void {
    const dueAt = this.watch.sending.dueAt(messageId);
    if (dueAt === undefined) return;
    const earliestMs = dueAt.getTime() - DUE_PRECISION_MS - Math.max(0, ...this.scenario.clockOffsetsMs);
    if (visibleAtMs >= earliestMs) return;
    const arrives = new Date(visibleAtMs).toISOString();
    this.violate('model', `'${messageId}' is due at ${dueAt.toISOString()}, and arrives at ${arrives}`);
  }

  deliverDue(): void {
    for (const { message } of this.scheduler.due(new Date(this.time.nowMs))) this.deliver(message);
  }

  /** Nobody waits for it any more. */
  leaveUnderWay(call: Call): void {
    this.underWay.push(call);
    this.limitTime(call);
  }

  /**
   * A call has been given up, and no network keeps it for ever: it takes effect within a minute. Where nothing
   * expires, it may take as long as it likes.
   */
  limitTime(call: Call): void {
    if (this.scenario.embedded) this.#latestMs.set(call, this.time.nowMs + MAX_UNDER_WAY_MS);
  }

  async #arriveInTime(byMs: number): Promise<void> {
    for (const [call, latestMs] of this.#latestMs) {
      if (latestMs > byMs) continue;
      this.#latestMs.delete(call);
      const index = this.underWay.indexOf(call);
      if (index >= 0) this.underWay.splice(index, 1);
      if (index < 0 && !call.isWaiting) continue;
      this.tell(() => `${call.request.port} ${call.request.about()} takes effect at last`);
      await call.apply();
      await settled();
    }
  }

  async pass(durationMs: number): Promise<void> {
    await this.#arriveInTime(this.time.nowMs + durationMs);
    await this.time.moveTo(this.time.nowMs + durationMs);
    this.unsent.deleteExpired(this.time.nowMs);
    this.deliverDue();
  }

  /** An invocation has written a saga: others that work on it meet a conflict. */
  sagaWritten(sagaId: string, by: Invocation | undefined): void {
    for (const other of this.running) if (other !== by) other.disturbances.contention(sagaId);
  }

  /** Whether the schema refuses a message: it has become stricter than it was. */
  refuses({ body }: Pick<Arrival, 'body'>): boolean {
    return this.isStrict && JSON.parse(body).isOutdated === true;
  }

  countAttempt(messageId: string): number {
    const before = this.#attempts.get(messageId) ?? 0;
    this.#attempts.set(messageId, before + 1);
    return before;
  }

  /** From 0 up to 1, the same numbers in each run. Source of the constants: "Numerical Recipes". */
  random(): number {
    this.#chance = (Math.imul(this.#chance, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#chance / 2 ** 32;
  }
}
