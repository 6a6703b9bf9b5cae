/** One request of a group, to be answered by itself. */
export interface PendingRequest<Request, Result> {
  readonly request: Request;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface CoalescerOptions<Request, Result> {
  /**
   * How long a group waits for further requests, from its first one on.
   *
   * @param left when it left before that
   */
  gather(left: Promise<void>): Promise<void>;
  /** Whether a group that has these requests can take one more. */
  fits(group: readonly Request[], request: Request): boolean;
  /** A group that no request fits into leaves at once. */
  isFull?(group: readonly Request[]): boolean;
  /** Answers each request, as soon as it can; what it throws fails those that have no answer by then. */
  run(group: readonly PendingRequest<Request, Result>[]): Promise<void>;
  /** Whether a failure is that of each request in the group: otherwise each is run again by itself, once. */
  failsAll(error: unknown): boolean;
}

/**
 * Lets requests of work that goes on side by side share round trips, but not their fate: a call that fails
 * because of one request fails that one only.
 */
export class Coalescer<Request, Result> {
  readonly #options: CoalescerOptions<Request, Result>;
  /** In the order of their first requests. */
  readonly #gathering = new Set<Group<Request, Result>>();

  constructor(options: CoalescerOptions<Request, Result>) {
    this.#options = options;
  }

  add(request: Request): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
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
    if (this.#options.isFull?.(group.requests)) this.#leave(group);
    return promise;
  }

  #groupFor(request: Request): Group<Request, Result> {
    for (const group of this.#gathering) {
      if (this.#options.fits(group.requests, request)) return group;
    }
    const group: Group<Request, Result> = { requests: [], questions: [], left: Promise.withResolvers() };
    this.#gathering.add(group);
    // Neither is awaited here: whoever asks waits for the answer, which comes in any case.
    void this.#gather(group);
    return group;
  }

  async #gather(group: Group<Request, Result>): Promise<void> {
    // To gather saves calls, and nothing else: a wait that fails ends early.
    await this.#options.gather(group.left.promise).catch(() => {});
    this.#leave(group);
  }

  #leave(group: Group<Request, Result>): void {
    if (!this.#gathering.delete(group)) return;
    group.left.resolve();
    void this.#run(group.questions);
  }

  async #run(questions: readonly Question<Request, Result>[]): Promise<void> {
    try {
      await this.#options.run(questions);
    } catch (error) {
      await this.#fail(questions, error);
    }
    for (const question of questions) {
      if (!question.isAnswered) question.reject(new Error('A request of a batch got no answer'));
    }
  }

  async #fail(questions: readonly Question<Request, Result>[], error: unknown): Promise<void> {
    const unanswered = questions.filter(({ isAnswered }) => !isAnswered);
    if (questions.length > 1 && !this.#options.failsAll(error)) {
      await Promise.all(unanswered.map((question) => this.#run([question])));
    } else for (const question of unanswered) question.reject(error);
  }
}

interface Group<Request, Result> {
  readonly requests: Request[];
  readonly questions: Question<Request, Result>[];
  readonly left: PromiseWithResolvers<void>;
}

interface Question<Request, Result> extends PendingRequest<Request, Result> {
  isAnswered: boolean;
}
