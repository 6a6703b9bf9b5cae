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
  /**
   * Answers requests, as soon as it can. What it throws fails those that have no answer by then: each of them, or
   * those that fail when they are run again by themselves, as `failsAll` has it.
   */
  run(group: readonly PendingRequest<Request, Result>[]): Promise<void>;
  /**
   * Waits until requests that `run` left without an answer are run again. What it throws is as if `run` threw it.
   *
   * @param rounds that were run, from 1 on
   * @default - they fail
   */
  untilNextRound?(rounds: number, left: readonly PendingRequest<Request, Result>[]): Promise<void>;
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
    if (this.#options.isFull?.(group.requests)) this.#leave(group);
    // Nobody awaits it: whoever asks waits for the answer, which comes in any case.
    if (group.questions.length === 1) void this.#run(group);
    return answer;
  }

  #groupFor(request: Request): Group<Request, Result> {
    for (const group of this.#gathering) {
      if (this.#options.fits(group.requests, request)) return group;
    }
    const group: Group<Request, Result> = { requests: [], questions: [], left: Promise.withResolvers() };
    this.#gathering.add(group);
    return group;
  }

  /** No further request joins the group. */
  #leave(group: Group<Request, Result>): void {
    this.#gathering.delete(group);
    group.left.resolve();
  }

  /** Runs a group when it leaves. Never throws. */
  async #run(group: Group<Request, Result>): Promise<void> {
    const { promise: left } = group.left;
    try {
      await Promise.race([this.#options.gather(left), left]);
    } catch {
      // To gather saves calls, and nothing else: a wait that fails ends early.
    }
    this.#leave(group);
    await this.#answer(group.questions);
  }

  /** Has an answer for each when it ends. Never throws. */
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
  readonly left: PromiseWithResolvers<void>;
}

interface Question<Request, Result> extends PendingRequest<Request, Result> {
  isAnswered: boolean;
}

function rejectAll(pending: readonly Pick<PendingRequest<unknown, never>, 'reject'>[], error: unknown): void {
  for (const { reject } of pending) reject(error);
}
