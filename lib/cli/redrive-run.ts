import type { FailureQueue } from './failure-queue.ts';
import type { RedriveOptions } from './redrive-options.ts';
import type { SourceQueues } from './source-queues.ts';
import { isWanted, messageId, messageType, type StoredFailure } from './stored-failure.ts';

/** What became of one message; those that a filter leaves out are only counted. */
export interface RedrivenMessage {
  readonly messageId: string;
  readonly messageType: string;
  /** Why it had failed; nothing when SQS moved it to a dead letter queue. */
  readonly code: string | undefined;
  readonly failedAt: string;
  readonly to: string | undefined;
  /** Why it could not be moved. */
  readonly problem: string | undefined;
}

export interface RedriveResult {
  readonly moved: RedrivenMessage[];
  readonly failed: RedrivenMessage[];
  leftOut: number;
  interrupted: boolean;
}

export interface RedriveParts {
  readonly queue: FailureQueue;
  readonly sources: SourceQueues;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

/** One run over a queue: each message is looked at once, and moved when it is wanted. */
export class RedriveRun {
  readonly #options: RedriveOptions;
  readonly #parts: RedriveParts;
  readonly #result: RedriveResult = { moved: [], failed: [], leftOut: 0, interrupted: false };
  /** What stays in the queue, hidden until the run ends so that it is looked at once; by the id that SQS gave. */
  readonly #kept = new Map<string, StoredFailure>();
  /** FIFO groups in which a message could not be moved: those behind it would overtake it. */
  readonly #blockedGroups = new Set<string>();

  constructor(options: RedriveOptions, parts: RedriveParts) {
    this.#options = options;
    this.#parts = parts;
  }

  async run(): Promise<RedriveResult> {
    const { signal } = this.#parts;
    try {
      while (!this.#isDone && !signal.aborted && (await this.#runBatch())) this.#tellProgress();
    } finally {
      await this.#releaseKept();
    }
    this.#result.interrupted = signal.aborted && !this.#isDone;
    return this.#result;
  }

  get #isDone(): boolean {
    return this.#result.moved.length >= this.#options.maximum;
  }

  /** @returns whether there may be more */
  async #runBatch(): Promise<boolean> {
    const batch = await this.#parts.queue.take(this.#options.maximum - this.#result.moved.length);
    const unseen = batch.filter(({ sqsMessageId }) => !this.#kept.has(sqsMessageId));
    // Until its turn comes, each is kept: whatever happens, it becomes visible again.
    for (const stored of batch) this.#kept.set(stored.sqsMessageId, stored);
    for (const stored of unseen) {
      if (this.#parts.signal.aborted) break;
      await this.#runMessage(stored);
    }
    // What was hidden too long comes again; when nothing else does, all has been looked at.
    return unseen.length > 0;
  }

  async #runMessage(stored: StoredFailure): Promise<void> {
    const { queue } = this.#parts;
    const { dryRun } = this.#options;
    if (!isWanted(stored, this.#options)) {
      this.#result.leftOut += 1;
      return;
    }
    let to: string | undefined;
    try {
      this.#assertInOrder(stored);
      to = await this.#destinationOf(stored);
      if (!dryRun) {
        await queue.move(stored, to);
        this.#kept.delete(stored.sqsMessageId);
      }
      this.#result.moved.push(described(stored, to));
    } catch (error) {
      const problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.#result.failed.push(described(stored, to, problem));
      if (stored.messageGroupId !== undefined) this.#blockedGroups.add(stored.messageGroupId);
    }
  }

  async #destinationOf({ source }: StoredFailure): Promise<string> {
    const { from, to } = this.#options;
    if (to !== undefined) return to;
    if (source === undefined) throw new Error('nothing tells where it came from: pass --to');
    const url = await this.#parts.sources.urlOf(source);
    if (url === from) throw new Error('it came from this very queue: pass --to');
    return url;
  }

  #assertInOrder({ messageGroupId = '' }: StoredFailure): void {
    if (!this.#options.from.endsWith('.fifo') || !this.#blockedGroups.has(messageGroupId)) return;
    throw new Error(`a message before it in its group '${messageGroupId}' could not be moved`);
  }

  async #releaseKept(): Promise<void> {
    const hidden = await this.#parts.queue.release([...this.#kept.values()]);
    if (hidden > 0) this.#parts.progress(`${hidden} messages become visible again after a few minutes only`);
  }

  #tellProgress(): void {
    const { moved, leftOut, failed } = this.#result;
    const verb = this.#options.dryRun ? 'to move' : 'moved';
    this.#parts.progress(`${moved.length} ${verb}, ${leftOut} left out, ${failed.length} failed`);
  }
}

function described(stored: StoredFailure, to: string | undefined, problem?: string): RedrivenMessage {
  return {
    messageId: messageId(stored),
    messageType: messageType(stored),
    code: stored.failure?.code,
    failedAt: stored.failedAt.toISOString(),
    to,
    problem,
  };
}
