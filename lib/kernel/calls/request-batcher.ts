/** One request of a group, to be answered by itself. */
export interface PendingRequest<Request, Result> {
  readonly request: Request;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface RequestBatcherOptions<Request, Result> {
  /**
   * Waits for further requests of a group, from its first one on.
   *
   * @param flushed resolves when the group is run before that
   */
  waitFor(flushed: Promise<void>): Promise<void>;
  /** Whether a group that has these requests can take one more. */
  fits(group: readonly Request[], request: Request): boolean;
  /** Whether no further request fits into a group, which leaves at once then. */
  isFull?(group: readonly Request[]): boolean;
  /**
   * Answers requests, each as soon as possible. An error fails those that have no answer by then: all of them
   * if `failsAll` says so, else those that fail again when each is run by itself.
   */
  run(group: readonly PendingRequest<Request, Result>[]): Promise<void>;
  /**
   * Waits until requests that `run` left without an answer are run again. An error counts as one of `run`.
   *
   * @param rounds the number of rounds that were run, from 1 on
   * @default - the requests fail
   */
  untilNextRound?(rounds: number, left: readonly PendingRequest<Request, Result>[]): Promise<void>;
  /** Whether an error is one of each request in the group: otherwise each is run again by itself, once. */
  failsAll(error: unknown): boolean;
}

/**
 * Lets concurrent requests share round trips, but not failures: a call that fails because of one request
 * fails that one only.
 */
export class RequestBatcher<Request, Result> {
  readonly #options: RequestBatcherOptions<Request, Result>;
  /** The groups that are still open, in the order of their first requests. */
  readonly #open = new Set<Group<Request, Result>>();

  constructor(options: RequestBatcherOptions<Request, Result>) {
    this.#options = options;
  }

  add(request: Request): Promise<Result> {
    const { promise: answer, resolve, reject } = Promise.withResolvers<Result>();
    const question: Question<Request, Result> = {
      request,
      isAnswered: false,
      resolve: (result) => {
        question.isAnswered = true;
        resolve(result);
      },
      reject: (error) => {
        question.isAnswered = true;
        reject(error);
      },
    };
    const group = this.#groupFor(request);
    group.requests.push(request);
    group.questions.push(question);
    if (this.#options.isFull?.(group.requests)) this.#flush(group);
    // The run is not awaited: the caller waits for the answer, which comes in any case.
    if (group.questions.length === 1) void this.#run(group);
    return answer;
  }

  #groupFor(request: Request): Group<Request, Result> {
    for (const group of this.#open) {
      if (this.#options.fits(group.requests, request)) return group;
    }
    const group: Group<Request, Result> = { requests: [], questions: [], flushed: Promise.withResolvers() };
    this.#open.add(group);
    return group;
  }

  /** Closes a group to further requests. */
  #flush(group: Group<Request, Result>): void {
    this.#open.delete(group);
    group.flushed.resolve();
  }

  /** Runs a group when it leaves. Never throws. */
  async #run(group: Group<Request, Result>): Promise<void> {
    const { promise: flushed } = group.flushed;
    try {
      await Promise.race([this.#options.waitFor(flushed), flushed]);
    } catch {
      // Waiting saves calls, and nothing else: a wait that fails ends early.
    }
    this.#flush(group);
    await this.#answer(group.questions);
  }

  /** Answers each question. Never throws. */
  async #answer(questions: readonly Question<Request, Result>[]): Promise<void> {
    const { run, untilNextRound, failsAll } = this.#options;
    let pending = questions;
    try {
      for (let rounds = 1; ; rounds += 1) {
        await run(pending);
        pending = pending.filter(({ isAnswered }) => !isAnswered);
        if (pending.length === 0) return;
        if (!untilNextRound) return rejectAll(pending, new Error('A request of a batch got no answer'));
        await untilNextRound(rounds, pending);
      }
    } catch (error) {
      pending = pending.filter(({ isAnswered }) => !isAnswered);
      if (questions.length === 1 || failsAll(error)) return rejectAll(pending, error);
      await Promise.all(pending.map((question) => this.#answer([question])));
    }
  }
}

interface Group<Request, Result> {
  readonly requests: Request[];
  readonly questions: Question<Request, Result>[];
  readonly flushed: PromiseWithResolvers<void>;
}

interface Question<Request, Result> extends PendingRequest<Request, Result> {
  isAnswered: boolean;
}

function rejectAll(pending: readonly Pick<PendingRequest<unknown, never>, 'reject'>[], error: unknown): void {
  for (const { reject } of pending) reject(error);
}
