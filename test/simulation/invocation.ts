import type { SQSBatchResponse } from 'aws-lambda';
import { isSagaboxError, type SagaboxError } from '../../lib/kernel/errors/errors.ts';
import type { MessageReport } from '../../lib/observe/hooks.ts';
import type { Commit } from '../../lib/outbox/commit.ts';
import type { Port } from './call.ts';
import { Disturbances } from './disturbances.ts';
import type { Instance } from './instance.ts';
import { endpointNames } from './message-script.ts';
import { RelayWatch } from './relay-watch.ts';
import { MAX_RECEIVE_COUNT, type Received } from './simulated-queue.ts';

/** After this time no attempt is repeated: one as long as the first would be cut off. */
const STARTABLE_MS = 14_500;

/** By then what only reads is waited for no longer, and a little later nothing is. */
const ABORTED_MS = 29_000;
const GIVEN_UP_MS = 29_500;
const abortedPorts: ReadonlySet<Port> = new Set(['find', 'load']);

/** One call of a function by the platform, and what is checked when it returns. */
export class Invocation {
  readonly received: readonly Received[];
  readonly begunAt: number;
  hasReturned = false;
  readonly forwarded = new Set<string>();
  readonly forwarding = new Set<string>();
  readonly disturbances = new Disturbances();
  readonly relay = new RelayWatch();
  readonly leaseOwners = new Set<string>();
  /** The ledger that a handler was given, by the message. */
  readonly saw = new Map<string, readonly string[] | undefined>();
  readonly #instance: Instance;
  readonly #begunAtMs: number;
  readonly #wasStrict: boolean;
  readonly #committedBefore: ReadonlySet<string>;
  /** Met by the attempts at a message before, by its id. */
  readonly #contentionsBefore = new Map<string, number>();

  constructor(instance: Instance, received: readonly Received[], begunAt: number) {
    this.#instance = instance;
    this.received = received;
    this.begunAt = begunAt;
    const { time, watch } = instance.world;
    this.#begunAtMs = time.nowMs;
    this.#wasStrict = instance.world.isStrict;
    this.#committedBefore = new Set(
      received
        .map(({ arrival }) => arrival)
        .filter((arrival) => watch.isCommitted(arrival) && watch.isVisible(arrival))
        .map(({ messageId }) => messageId),
    );
  }

  reported({ messageId, outcome, error }: MessageReport): void {
    const { world } = this.#instance;
    world.coverage.add(`messages ${outcome}`);
    world.tell(() => `${this.#instance.name}: ${messageId} is ${outcome}`);
    if (isConflict(error)) this.#checkConflict(messageId, error.facts.sagaId);
  }

  /** Each attempt reads the current state, so that each conflict needs a cause of its own. */
  #checkConflict(messageId: string, sagaId: string): void {
    const { world } = this.#instance;
    const contentions = this.disturbances.contentionsOf(sagaId);
    const before = this.#contentionsBefore.get(messageId) ?? 0;
    this.#contentionsBefore.set(messageId, contentions);
    if (world.scenario.mode !== 'optimistic' || this.disturbances.hasFaults || contentions > before) return;
    world.violate(
      'kept',
      `an attempt at '${messageId}' meets a conflict, and nothing has changed its saga since the last one`,
    );
  }

  /** A commit that writes no saga has no condition that tells whether its handler was given an old one. */
  committing({ saga, embedded, outbox, transactionItems }: Commit): void {
    const messageId = outbox?.messageId ?? '';
    // What is ignored has no effect, whatever its handler saw.
    if (
      saga !== undefined ||
      embedded !== undefined ||
      transactionItems.length === 0 ||
      !this.saw.has(messageId)
    )
      return;
    const { world } = this.#instance;
    const message = world.watch.messages.get(`${endpointNames.orders} ${messageId}`);
    const ledger = this.saw.get(messageId);
    if (message && !world.watch.wasLatest(message, ledger, this.begunAt))
      world.violate(
        'I4',
        `'${messageId}' writes no saga, and saw one that was old before its invocation began`,
      );
  }

  /** A failure counts: what its handler was given was committed. */
  failing(messageId: string): void {
    // Which one of two copies has failed is not known.
    if (this.received.filter(({ arrival }) => arrival.messageId === messageId).length > 1) return;
    const { world } = this.#instance;
    const message = world.watch.messages.get(`${endpointNames.orders} ${messageId}`);
    const isRefused = world.refuses({ body: JSON.stringify(message?.body) });
    if (message && !isRefused && !world.watch.hadLedger(message, this.saw.get(messageId)))
      world.violate('model', `'${messageId}' fails for good on a state of its saga that was never committed`);
  }

  /** The function has answered: from here on nothing of it may go on. */
  returned({ batchItemFailures }: SQSBatchResponse, onAcknowledged: () => void = () => {}): void {
    this.hasReturned = true;
    const { name, world, pending } = this.#instance;
    const returned = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    world.tell(() => `${name} returns, ${returned.size} of ${this.received.length} messages failed`);
    const own = pending.filter((call) => call.begunIn === this);
    const left = own.find(
      ({ request }) => !isWait(request.port) && !request.signal?.aborted && !this.#mayGoOn(request.port),
    );
    for (const call of own) {
      this.disturbances.leftBehind(call.request.port, call.request.leaseOwner);
      world.limitTime(call);
    }
    if (left) {
      world.violate(
        'I6',
        `${name} returns while its ${left.request.port} ${left.request.about()} is under way`,
      );
    }
    if (this.#instance.nextTimerMs !== undefined) world.violate('I6', `${name} returns while it sleeps`);

    this.#checkLeases();
    const unlucky = this.#behindFailed(returned);
    for (const each of this.received) {
      if (!unlucky.has(each)) this.#checkFailed(each, returned.has(each.record.messageId));
    }
    const done = this.received.filter(({ record }) => !returned.has(record.messageId));
    for (const { arrival } of done) this.#checkAcknowledged(arrival.endpoint, arrival.messageId);
    this.#acknowledge(done, onAcknowledged);
  }

  /** Calls that are left behind near the end may take effect during a later invocation. */
  #mayGoOn(port: Port): boolean {
    const { world } = this.#instance;
    const mayGoOn = this.#elapsedMs >= (abortedPorts.has(port) ? ABORTED_MS : GIVEN_UP_MS);
    if (mayGoOn) world.coverage.add(`left behind: ${port}`);
    return mayGoOn;
  }

  get isNearEnd(): boolean {
    return this.#elapsedMs >= ABORTED_MS;
  }

  get #elapsedMs(): number {
    return this.#instance.world.time.nowMs - this.#begunAtMs;
  }

  /** Whoever comes next would wait for a lease that is left behind. */
  #checkLeases(): void {
    const { name, world } = this.#instance;
    // A release that gets no answer is waited for no longer, and may not even have been begun.
    if (this.#elapsedMs >= GIVEN_UP_MS) return;
    for (const { owner } of world.watch.storage.leases.values()) {
      if (this.leaseOwners.has(owner) && !this.disturbances.mayLeave(owner))
        world.violate('lease', `${name} returns without giving back a lease`);
    }
  }

  /** Messages that are returned because an earlier one of their FIFO group is. */
  #behindFailed(returned: ReadonlySet<string>): Set<Received> {
    const behind = new Set<Received>();
    const blocked = new Set<string>();
    for (const each of this.received) {
      const { group, messageId } = each.arrival;
      const isReturned = returned.has(each.record.messageId);
      if (group === undefined) continue;
      if (blocked.has(group)) {
        behind.add(each);
        this.#instance.world.coverage.add('messages behind a failed one');
        if (!isReturned)
          this.#instance.world.violate(
            'I5',
            `'${messageId}' is done before the one ahead of it in its group`,
          );
      } else if (isReturned && each.receiveCount < MAX_RECEIVE_COUNT) blocked.add(group);
    }
    return behind;
  }

  /** A message fails only for a reason, and is forwarded only when no delivery can help. */
  #checkFailed({ arrival, receiveCount }: Received, isReturned: boolean): void {
    const { messageId, endpoint } = arrival;
    const isForwarded = this.forwarded.has(messageId);
    if (!isReturned && !isForwarded) return;
    const { world } = this.#instance;
    // Whether the item of its saga knows it cannot be told: no schema, no saga.
    const isUnknown = world.scenario.embedded || !this.#committedBefore.has(messageId);
    const isRefused = world.refuses(arrival) && isUnknown;
    const isHopeless = isRefused || this.disturbances.isUnrecoverable(messageId);
    const isTimeUp = this.#elapsedMs >= STARTABLE_MS;
    const saga = endpoint === endpointNames.orders ? JSON.parse(arrival.body).saga : undefined;
    const mayFail = isTimeUp || isHopeless || this.disturbances.mayFail(messageId, saga);
    const told = isForwarded ? 'sent to the error queue' : 'returned';
    if (!mayFail)
      world.violate('kept', `'${messageId}' is ${told}, but nothing has kept it from being handled`);
    if (isTimeUp) return;
    const isLast = receiveCount >= MAX_RECEIVE_COUNT;
    // The error queue gets no id of SQS that would tell which of two copies it was.
    const isLastOfCopy = this.received.some(
      (copy) => copy.arrival.messageId === messageId && copy.receiveCount >= MAX_RECEIVE_COUNT,
    );
    if (isForwarded && !isReturned && !isHopeless && !isLastOfCopy)
      world.violate('kept', `'${messageId}' is ${told}, but can be tried again`);
    const mustBeRefused = isRefused && this.#wasStrict && !this.disturbances.hasFaults;
    // In a group that is not committed a failure does not count.
    const isUndisturbed = !this.disturbances.hasFaults && !this.disturbances.isContended(saga);
    const hasFailed = isUndisturbed && this.disturbances.isUnrecoverable(messageId);
    const isDone = isLast || mustBeRefused || hasFailed;
    const mustForward = world.scenario.hasErrorQueue && isDone;
    if (isReturned && mustForward && !this.forwarding.has(messageId))
      world.violate('kept', `'${messageId}' is not sent to the error queue`);
  }

  #checkAcknowledged(endpoint: string, messageId: string): void {
    const { world } = this.#instance;
    if (this.forwarded.has(messageId)) return;
    const reason = world.watch.undispatched(endpoint, messageId);
    if (reason) world.violate('I5', `'${messageId}' is acknowledged, but ${reason}`);
  }

  /** A step of its own: the platform, too, can fail before it. */
  #acknowledge(done: readonly Received[], onAcknowledged: () => void): void {
    const { world } = this.#instance;
    const ended = this.#instance.call({
      port: 'acknowledge',
      about: () => done.map(({ arrival }) => arrival.messageId).join(' '),
      perform: async () => {
        for (const { record } of done) world.queue.acknowledge(record.messageId);
        onAcknowledged();
      },
      refusal: () => ({ value: undefined }),
    });
    ended.then(
      () => {
        this.#instance.invocation = undefined;
      },
      () => {},
    );
  }
}

/** Whoever waits makes no call by that: it is told at its end that its message was returned. */
function isWait(port: Port): boolean {
  return port === 'pause' || port === 'gather';
}

function isConflict(error: unknown): error is SagaboxError<'SagaConcurrency'> {
  return isSagaboxError(error) && error.code === 'SagaConcurrency';
}
