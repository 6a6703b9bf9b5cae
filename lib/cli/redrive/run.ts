import { type CommandIo, reasonOf } from '../command.ts';
import type { FailureQueue } from './failure-queue.ts';
import { KeptMessages } from './kept-messages.ts';
import type { RedriveOptions } from './options.ts';
import { type RedrivenMessage, type RedriveResult, summaryOf } from './result.ts';
import type { StoredFailure } from './stored-failure.ts';
import { wayBack } from './way-back.ts';

/** One run over a queue: each message is looked at once, and moved when it is wanted. */
export class RedriveRun {
  readonly #options: RedriveOptions & { readonly dryRun: boolean; readonly max: number };
  readonly #queue: FailureQueue;
  readonly #io: Pick<CommandIo, 'err' | 'signal'>;
  readonly #result: RedriveResult = {
    moved: [],
    failed: [],
    leftOut: 0,
    failedMeanwhile: 0,
    notLookedAt: undefined,
    interrupted: false,
    problem: undefined,
  };
  readonly #kept = new KeptMessages();
  /** Where each was moved to: a copy of it stays. */
  readonly #arrivals = new Set<string>();
  /** Processes whose notice of a failed compensation was moved: the next notice is another attempt. */
  readonly #resumed = new Set<string>();
  /** What is moved may fail again at once, under its id or in a message that follows from it: it would be moved forever. */
  readonly #startedAt = new Date();
  /** FIFO groups in which a message could not be moved: those behind it would overtake it. */
  readonly #blockedGroups = new Set<string>();

  constructor(options: RedriveOptions, queue: FailureQueue, io: Pick<CommandIo, 'err' | 'signal'>) {
    this.#options = { dryRun: false, max: Number.POSITIVE_INFINITY, ...options };
    this.#queue = queue;
    this.#io = io;
  }

  /** Never fails: the result so far is reported together with the problem. */
  async run(): Promise<RedriveResult> {
    const { signal } = this.#io;
    await this.#attempt(
      `The run ended early, as the queue '${this.#options.from}' cannot be read`,
      async () => {
        while (!this.#isDone && !signal.aborted && !this.#kept.isExhausted) await this.#runBatch();
      },
    );
    await this.#attempt('What stays in the queue is visible again after two minutes only', () =>
      this.#releaseKept(),
    );
    this.#result.interrupted = signal.aborted && !this.#isDone;
    if (this.#kept.isExhausted && !this.#isDone && !signal.aborted)
      await this.#attempt('Whether all messages were looked at is not known', () => this.#countOthers());
    return this.#result;
  }

  async #attempt(otherwise: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#addProblem(`${otherwise}: ${reasonOf(error)}`);
    }
  }

  #addProblem(problem: string): void {
    this.#result.problem = [this.#result.problem, problem].filter(Boolean).join('. ');
  }

  get #isDone(): boolean {
    return this.#result.moved.length >= this.#options.max;
  }

  async #runBatch(): Promise<void> {
    const batch = await this.#queue.take(this.#options.max - this.#result.moved.length);
    // Until its turn comes, each is kept: whatever happens, it becomes visible again.
    const unseen = this.#kept.add(batch);
    for (const stored of unseen) {
      if (this.#io.signal.aborted) break;
      await this.#runMessage(stored);
    }
    if (unseen.length > 0) this.#io.err(summaryOf(this.#result, this.#options.dryRun));
  }

  async #runMessage(stored: StoredFailure): Promise<void> {
    if (!this.#isWanted(stored)) {
      this.#result.leftOut += 1;
      return;
    }
    // A clock that is ahead takes what fails meanwhile for earlier, and a command would be sent again each time.
    if (stored.failedAt > this.#startedAt || this.#resumed.has(processOf(stored))) {
      this.#result.leftOut += 1;
      this.#result.failedMeanwhile += 1;
      return;
    }
    let to: string | undefined;
    try {
      this.#assertInOrder(stored);
      to = await this.#queue.urlOf(wayBack(stored, this.#options));
      const arrival = JSON.stringify([to, stored.messageId]);
      if (this.#arrivals.has(arrival)) {
        this.#result.leftOut += 1;
        return;
      }
      if (!this.#options.dryRun) {
        await this.#queue.move(stored, to);
        this.#kept.remove(stored);
      }
      this.#arrivals.add(arrival);
      if (stored.code === 'CompensationFailed' && stored.correlationId !== undefined)
        this.#resumed.add(processOf(stored));
      this.#result.moved.push(described(stored, to));
    } catch (error) {
      this.#result.failed.push(described(stored, to, reasonOf(error)));
      if (stored.messageGroupId !== undefined) this.#blockedGroups.add(stored.messageGroupId);
    }
  }

  #isWanted({ code, messageType, messageId, correlationId, failedAt }: StoredFailure): boolean {
    const { since, ...options } = this.#options;
    const isOneOf = (wanted: readonly string[] | undefined, value = '') => wanted?.includes(value) ?? true;
    return (
      isOneOf(options.code, code) &&
      isOneOf(options.type, messageType) &&
      isOneOf(options.id, messageId) &&
      isOneOf(options.correlationId, correlationId) &&
      (since === undefined || failedAt >= since)
    );
  }

  #assertInOrder({ messageGroupId = '' }: StoredFailure): void {
    if (!this.#options.from.endsWith('.fifo') || !this.#blockedGroups.has(messageGroupId)) return;
    throw new Error(`a message before it in its group '${messageGroupId}' could not be moved`);
  }

  async #releaseKept(): Promise<void> {
    const hidden = await this.#queue.release(this.#kept.all());
    if (hidden > 0) this.#io.err(`${hidden} messages become visible again after a few minutes only`);
  }

  /** The counts of a standard queue lag: once it is drained, they would include moved messages. */
  async #countOthers(): Promise<void> {
    const isFifo = this.#options.from.endsWith('.fifo');
    const others = isFifo || !this.#kept.isDrained ? await this.#queue.countOthers(this.#kept.size) : 0;
    this.#result.notLookedAt = others;
    if (others === 0) return;
    this.#addProblem(
      isFifo && this.#kept.size > 0
        ? `${others} not looked at: SQS hands out no message behind one that stays in its FIFO group. ${this.#remedy}`
        : `${others} not looked at: they came during the run, or another consumer or a killed run hides them. ` +
            'Run it again after two minutes',
    );
  }

  get #remedy(): string {
    return this.#options.dryRun
      ? 'Run it without --dry-run, which looks behind each message that it moves'
      : 'Move those in front first: run it without filters, and with --to for messages that could not be moved';
  }
}

function processOf({ messageType, correlationId }: StoredFailure): string {
  return JSON.stringify([messageType, correlationId]);
}

function described(
  { messageId, messageType, code, failedAt }: StoredFailure,
  to: string | undefined,
  problem?: string,
): RedrivenMessage {
  return { messageId, messageType, code, failedAt: failedAt.toISOString(), to, problem };
}
