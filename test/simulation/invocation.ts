import type { SQSBatchResponse } from 'aws-lambda';
import type { MessageReport } from '../../lib/flow/attempt.ts';
import type { Instance } from './instance.ts';
import type { Received } from './simulated-queue.ts';

/** One call of a function by the platform, and what is checked when it returns. */
export class Invocation {
  readonly received: readonly Received[];
  readonly begunAt: number;
  hasReturned = false;
  /** Message ids, in this invocation. */
  readonly discarded = new Set<string>();
  readonly forwarded = new Set<string>();
  /** The last moment at which a message was found not to be committed. */
  readonly foundNew = new Map<string, number>();
  readonly #instance: Instance;

  constructor(instance: Instance, received: readonly Received[], begunAt: number) {
    this.#instance = instance;
    this.received = received;
    this.begunAt = begunAt;
  }

  reported(endpoint: string, { messageId, outcome }: MessageReport): void {
    const { world } = this.#instance;
    world.coverage.add(`messages ${outcome}`);
    world.tell(() => `${this.#instance.name}: ${messageId} is ${outcome}`);
    if (outcome !== 'discarded') return;
    const message = world.watch.messages.get(`${endpoint} ${messageId}`);
    const until = this.foundNew.get(messageId) ?? -1;
    if (message === undefined || !world.watch.wasUnawaited(message, this.begunAt, until)) {
      world.violate('kept', `'${messageId}' is discarded, but its saga was there`);
    }
    this.discarded.add(messageId);
  }

  /** The function has answered: from here on nothing of it may go on. */
  returned({ batchItemFailures }: SQSBatchResponse): void {
    this.hasReturned = true;
    const { name, world, pending } = this.#instance;
    const returned = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    world.tell(() => `${name} returns, ${returned.size} of ${this.received.length} messages failed`);
    const left = pending.find(({ request }) => request.port !== 'pause' && !request.signal?.aborted);
    if (left) {
      world.violate(
        'I6',
        `${name} returns while its ${left.request.port} ${left.request.about()} is under way`,
      );
    }
    if (this.#instance.nextTimerMs !== undefined) world.violate('I6', `${name} returns while it sleeps`);

    const done = this.received.filter(({ record }) => !returned.has(record.messageId));
    for (const { arrival } of done) this.#checkAcknowledged(arrival.endpoint, arrival.messageId);
    this.#acknowledge(done);
  }

  #checkAcknowledged(endpoint: string, messageId: string): void {
    const { world } = this.#instance;
    const key = `${endpoint} ${messageId}`;
    if (this.discarded.has(messageId)) return void world.discarded.add(key);
    if (this.forwarded.has(messageId)) return;
    const reason = world.watch.undispatched(endpoint, messageId);
    if (reason) world.violate('I5', `'${messageId}' is acknowledged, but ${reason}`);
  }

  /** A step of its own: the platform, too, can fail before it. */
  #acknowledge(done: readonly Received[]): void {
    const { world } = this.#instance;
    const ended = this.#instance.call({
      port: 'acknowledge',
      about: () => done.map(({ arrival }) => arrival.messageId).join(' '),
      perform: async () => {
        for (const { record } of done) world.queue.acknowledge(record.messageId);
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
