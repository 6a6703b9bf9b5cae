import middy from '@middy/core';
import type { Ports } from '../../../lib/attempt/ports.ts';
import { configureFailureHandling } from '../../../lib/compose/configure-failure-handling.ts';
import { batchHandler, type MessageHandler } from '../../../lib/compose/handler/batch-handler.ts';
import { throughContext } from '../../../lib/compose/handler/outbox-middleware.ts';
import { sagaOutboxOf } from '../../../lib/compose/handler/saga-outbox.ts';
import { contributionKey, sagaKey } from '../../../lib/dynamodb/keys.ts';
import { isCancellation } from '../../../lib/messages/message.ts';
import { type Commit, messagesOf } from '../../../lib/outbox/commit.ts';
import type { FoundContribution } from '../../../lib/saga/contribution.ts';
import type { Locking } from '../../../lib/saga/definition/locking.ts';
import { lambdaContext } from '../../../lib/testing/lambda-context.ts';
import { MemoryCommitter } from '../../../lib/testing/memory/committer.ts';
import { MemoryContributions } from '../../../lib/testing/memory/contributions.ts';
import { MemoryOutboxStore } from '../../../lib/testing/memory/outbox-store.ts';
import { MemorySagaLocks } from '../../../lib/testing/memory/saga-locks.ts';
import { MemorySagaStore } from '../../../lib/testing/memory/saga-store.ts';
import { type MemorySaga, MemoryStorage } from '../../../lib/testing/memory/storage.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { type PollHooks, type PollState, pollSaga } from './poll-saga.ts';
import type { PollWorld, QueuedMessage } from './poll-world.ts';

export const endpoint = 'polls';
export const pollKey = sagaKey({ name: 'Poll', id: 'p' }).partition;
export const pollModes = ['optimistic', 'eventual', 'pessimistic'] as const;
export type PollMode = (typeof pollModes)[number];

const INVOCATION_MS = 60_000;

/** One invocation of the function, with some messages of the queue, to its answer or its death. */
export class PollInvocation {
  isDead = false;
  hasEnded = false;
  readonly messages: readonly QueuedMessage[];
  readonly #world: PollWorld;
  readonly #mode: PollMode;
  readonly #images: (MemorySaga | undefined)[];
  readonly #startedAt: number;
  /** Whether the last collect of a message left something, by the id of the message. */
  readonly #hasMore = new Map<string, boolean>();

  /** @param images of the saga, as replicas may still have it */
  constructor(
    world: PollWorld,
    mode: PollMode,
    messages: readonly QueuedMessage[],
    images: (MemorySaga | undefined)[],
  ) {
    this.#world = world;
    this.#mode = mode;
    this.messages = messages;
    this.#images = images;
    this.#startedAt = world.step;
  }

  async run(): Promise<void> {
    const world = this.#world;
    const endsAtMs = world.nowMs + INVOCATION_MS;
    const context = {
      ...lambdaContext(),
      getRemainingTimeInMillis: () => Math.max(0, endsAtMs - world.nowMs),
    };
    const Records = this.messages.map((message, index) => world.recordOf(message, index));
    const { batchItemFailures } = await this.#handler()({ Records }, context);
    this.hasEnded = true;
    for (const [index, message] of this.messages.entries()) {
      const isReturned = batchItemFailures.some(({ itemIdentifier }) => itemIdentifier === String(index));
      const isDuplicate = world.hasFaults && world.isDrawn(0.1);
      if (isReturned || isDuplicate) world.queue.push(message);
    }
  }

  #handler() {
    const world = this.#world;
    const ports = this.#ports();
    const saga = pollSaga(this.#hooks());
    const options = {
      endpoint,
      ports,
      destinations: { [endpoint]: 'https://sqs.us-east-1.amazonaws.com/123456789012/polls' },
      maxReceiveCount: 1_000,
      throwOnFullBatchFailure: false,
      logger: silentLogger,
      locking: lockingOf(this.#mode),
    };
    // The early answer of middy runs on a timer of the process.
    const withoutTimer = { timeoutEarlyInMillis: 0 };
    const handle = middy(saga.handler as never, withoutTimer).use(
      sagaOutboxOf({ ...options, saga }) as never,
    );
    const { now, sleep } = ports.clock;
    return batchHandler(throughContext(handle as MessageHandler), options, {
      configure: (retries) =>
        configureFailureHandling(options, retries, {
          now,
          sleep,
          random: () => world.random.below(100) / 100,
        }),
      startTimer: (delayMs, fire) => world.startTimer(this, delayMs, fire),
    });
  }

  #hooks(): PollHooks {
    const world = this.#world;
    return {
      pause: () => world.call(this, 'pause', async () => {}),
      collecting: (messageId, life, atLeast) => {
        const startedAt = world.step;
        return (found, hasMore) => {
          if (found) this.#hasMore.set(messageId, hasMore);
          else this.#hasMore.delete(messageId);
          if (!this.isDead) world.ledger.collected(life, found, hasMore, { atLeast, startedAt });
        };
      },
    };
  }

  #ports(): Ports {
    const world = this.#world;
    const { storage } = world;
    const call = <T>(port: string, perform: () => Promise<T>) => world.call(this, port, perform);
    const clock = {
      now: () => new Date(world.nowMs),
      sleep: (delayMs: number, signal?: AbortSignal) =>
        new Promise<void>((resolve) => {
          const cancel = world.startTimer(this, delayMs, resolve);
          const end = () => {
            cancel();
            resolve();
          };
          if (signal?.aborted) end();
          signal?.addEventListener('abort', end, { once: true });
        }),
    };
    const sagas = new MemorySagaStore(storage);
    const locks = new MemorySagaLocks(storage, sagas, clock);
    const outbox = new MemoryOutboxStore(storage, endpoint);
    const committer = new MemoryCommitter({ storage, endpoint });
    const contributions = new MemoryContributions(storage);
    return {
      sagas: {
        load: (saga, _meter, certainty = 'none') =>
          call('load', async () => {
            const old = this.#mode === 'eventual' && certainty !== 'all' && world.isDrawn(0.4);
            const image = this.#images[world.random.below(this.#images.length)];
            if (!old || (image === undefined && certainty === 'absence')) return sagas.read(saga);
            const replica = new MemoryStorage();
            if (image) replica.sagas.set(pollKey, image);
            return new MemorySagaStore(replica).read(saga);
          }),
      },
      locks: {
        tryAcquire: (saga, lease, expected) => call('acquire', () => locks.tryAcquire(saga, lease, expected)),
        renew: (saga, lease) => call('renew', () => locks.renew(saga, lease)),
        release: (saga, lease) => call('release', () => locks.release(saga, lease)),
      },
      contributions: {
        async *find(saga, createdAt, key) {
          yield* await call('collect', async () => {
            const found: FoundContribution[] = [];
            for await (const each of contributions.find(saga, createdAt, key)) found.push(each);
            return found;
          });
        },
      },
      outbox: {
        find: (messageId) => call('find', () => outbox.find(messageId)),
        saveProgress: (record, sent) => call('keep', () => outbox.saveProgress(record, sent)),
        markDispatched: (record) => call('mark', () => outbox.markDispatched(record)),
      },
      committer: {
        snapshot: (write) => committer.snapshot(write),
        readSnapshot: (kept) => committer.readSnapshot(kept),
        commit: (commit) => call('commit', () => this.#commit(commit, committer)),
      },
      dispatcher: {
        dispatch: async (operations, options) => {
          await call('dispatch', async () => {
            for (const operation of operations)
              if (!isCancellation(operation)) world.deliver(structuredClone(operation));
          });
          options?.onTaken?.(operations.map(({ id }) => id));
        },
      },
      clock,
    };
  }

  /** It takes effect at once, and each of its items may be read as it was until it is answered. */
  async #commit(commit: Commit, committer: MemoryCommitter): Promise<void> {
    const { storage, ledger } = this.#world;
    const { sagas, contributions } = storage;
    const messages = messagesOf(commit);
    const saga = sagas.get(pollKey);
    const deleted = messages.flatMap(({ collected = [] }) => collected.map(({ item }) => itemKey(item)));
    const found = new Map(deleted.map((key) => [key, contributions.get(key)]));
    await committer.commit(commit);
    const left = sagas.get(pollKey);
    this.#images.push(left);
    ledger.committed(commit, stateOf(saga), stateOf(left), this.#startedAt);
    this.#noteWhatIsLeft(commit, stateOf(left)?.life);
    const put = messages.flatMap(({ appended = [] }) =>
      appended.map((each) => itemKey(contributionKey(each))),
    );
    const hides = () => this.#world.isDrawn(0.5);
    if (commit.saga && saga !== left && hides()) sagas.hide(pollKey, saga);
    for (const [key, before] of found) if (hides()) contributions.hide(key, before);
    for (const key of put) if (hides()) contributions.hide(key, undefined);
    const ids = [...ledger.appended].filter(([, each]) => each.visibleSince === Number.POSITIVE_INFINITY);
    const ofCommit = ids.slice(ids.length - put.length);
    this.#world.answerLater(() => {
      sagas.show(pollKey);
      for (const key of [...put, ...deleted]) contributions.show(key);
      for (const [, each] of ofCommit) each.visibleSince = this.#world.step;
      if (commit.saga?.kind === 'complete') ledger.ended(stateOf(saga)?.life ?? '', this.#world.step);
    });
  }

  #noteWhatIsLeft({ outbox }: Commit, life: string | undefined): void {
    const hasMore = outbox && this.#hasMore.get(outbox.messageId);
    if (life === undefined || hasMore === undefined) return;
    if (hasMore) this.#world.ledger.unfinished.add(life);
    else this.#world.ledger.unfinished.delete(life);
  }
}

function itemKey({ partition, sort }: { readonly partition: string; readonly sort: string }): string {
  return `${partition} ${sort}`;
}

function stateOf(saga: MemorySaga | undefined): PollState | undefined {
  return saga?.state as PollState | undefined;
}

function lockingOf(mode: PollMode): Locking {
  if (mode !== 'pessimistic') return { mode: 'optimistic', consistentRead: mode === 'optimistic' };
  return {
    mode,
    leaseDuration: { seconds: 10 },
    leaseAcquisitionTimeout: { seconds: 5 },
    minRefreshDelay: { milliseconds: 200 },
    maxRefreshDelay: { milliseconds: 200 },
  };
}
