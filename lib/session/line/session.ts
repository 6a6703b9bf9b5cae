import type { Flow } from '../../attempt/attempt.ts';
import { Delivery } from '../../attempt/delivery.ts';
import type { InvocationDeadline } from '../../attempt/invocation-deadline.ts';
import { settled } from '../../kernel/async/settle.ts';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import type { MessageLogger } from '../../messages/logger.ts';
import { AttemptState } from '../../pipeline/attempt-state.ts';
import { close } from '../../pipeline/fail.ts';
import { unitOfWork } from '../../pipeline/work.ts';
import { roundedIn, type TellsRounded } from '../../sending/key-check.ts';
import type { Tracing } from '../../sending/tracing.ts';
import { problemResponse } from '../problem-response.ts';
import type { OutboxSessionScope } from '../session-context.ts';
import type { SessionRequest } from '../session-request.ts';
import { commitSession, type SessionTransaction } from './commit-session.ts';
import { openRequest, releaseRequest } from './open-request.ts';
import { replay } from './replay.ts';
import {
  type Answer,
  type SessionAttempt,
  type SessionRules,
  startSessionAttempt,
} from './session-attempt.ts';

export interface SessionTerms {
  readonly flow: Flow;
  readonly request: SessionRequest;
  readonly rules: SessionRules;
  readonly deadline: InvocationDeadline;
  readonly metrics: Delivery['metrics'];
  /** @default - no spans are made */
  readonly tracing?: Tracing | undefined;
}

/**
 * One request, from its idempotency key to its answer.
 *
 * ```text
 *   dedup check ── stored ──────────────────────► its response
 *        │ unknown
 *     handler ──── throws, or 500 and above ────► read once more: its response, or the error
 *        │
 *     commit ───── another one was faster ──────► its response
 *        │
 *     dispatch, mark ── too late, or refused ───► the relay
 *        │
 *     response
 * ```
 */
export class Session {
  readonly state: AttemptState;
  readonly #attempt: SessionAttempt;
  readonly #delivery: Delivery;
  readonly #deadline: InvocationDeadline;
  readonly #ended = Promise.withResolvers<void>();
  /** Rejects once the time is up. */
  readonly #timeIsUp: Promise<never>;
  #transaction: SessionTransaction | undefined;

  constructor({ flow, request, rules, deadline, metrics, tracing }: SessionTerms) {
    this.#deadline = deadline;
    this.#delivery = new Delivery({ deadline, metrics });
    this.#delivery.beginAttempt(false, tracing?.startSession(request, flow.endpoint));
    this.state = new AttemptState(this.#delivery);
    // `limit` calls back before it returns: from then on this is the signal of the session.
    let signal: AbortSignal = new AbortController().signal;
    const limited = deadline.limit(
      request.id,
      (aborted) => {
        signal = aborted;
        return this.#ended.promise;
      },
      // Work under way then starts no commit and no dispatch: the caller is told that the request failed.
      async () => this.#delivery.end('acknowledged'),
    );
    this.#timeIsUp = limited.then(() => new Promise<never>(() => {}));
    // The promise may reject while nobody waits for it.
    this.#timeIsUp.catch(() => {});
    this.#attempt = startSessionAttempt(flow, request, rules, { signal, delivery: this.#delivery });
  }

  /** @returns the answer to a request that was committed before; undefined if its handler is to run */
  async begin(): Promise<Answer | undefined> {
    this.state.begin();
    this.state.hold(this.#attempt);
    const answer = await this.within(this.#replayed());
    if (answer) {
      this.state.succeed();
      this.#end();
      return answer;
    }
    const attempt = this.#attempt;
    const { body } = Object(attempt.request.content) as { readonly body?: unknown };
    const work = unitOfWork(attempt, attempt.received, undefined, body);
    const transaction = {
      ...attempt,
      message: attempt.received,
      work,
      draft: undefined,
      lease: undefined,
      queueEntry: undefined,
    };
    await this.state.enterHandler(transaction);
    this.#transaction = transaction;
    return undefined;
  }

  get id(): string {
    return this.#attempt.request.id;
  }

  /** Tells the ids of the request with each line. */
  get logger(): MessageLogger {
    return this.#attempt.logger;
  }

  /** The functions that the handler gets. */
  get scope(): OutboxSessionScope {
    const { work, logger, signal } = this.#transaction as SessionTransaction;
    const { send, publish, sendImmediately, transaction } = work.context;
    const hidden: TellsRounded = { [roundedIn]: work.context[roundedIn] };
    return { send, publish, sendImmediately, transaction, logger, signal, ...hidden };
  }

  /**
   * Commits the session, after its handler has returned.
   *
   * @throws SagaboxError `InvocationTimeout` when the time is up by then; the errors of the commit. The
   *   session is to be failed then
   */
  async commit(response: unknown): Promise<Answer> {
    this.#deadline.assertNotGivenUp(this.id);
    this.state.startCommit();
    const answer = await this.within(commitSession(this.#transaction as SessionTransaction, response));
    this.state.succeed();
    this.#end();
    return answer;
  }

  /**
   * Ends a session that failed. The record is read once more: another request with the same key may have been
   * committed, or this one, whose answer got lost.
   *
   * @param response the handler's response, if it is not to be committed
   * @throws the error, if there is no better answer to it
   */
  async fail(error: unknown, response?: unknown): Promise<Answer> {
    let failure: { readonly error: unknown } | undefined = { error };
    try {
      const { request } = this.#attempt;
      const answer = await this.#deadline
        .untilEnd((signal) => this.#committedMeanwhile(error, signal))
        .catch(() => undefined);
      if (answer) {
        failure = undefined;
        return answer;
      }
      await this.state.fail(error);
      if (!isOthers(error))
        await this.#deadline.untilEnd(() => releaseRequest(this.#attempt)).catch(() => {});
      if (isSagaboxError(error) && error.code === 'ResponseNotCommitted') return { response };
      const problem = request.http && problemResponse(error, request.http);
      if (problem) return { response: problem };
      throw error;
    } finally {
      this.#end(failure);
    }
  }

  /** Runs the handler: spans that it makes are below that of the session. */
  run<T>(handle: () => T): T {
    const { span } = this.#delivery;
    return span ? span.run(handle) : handle();
  }

  /** Waits for work for as long as an answer can still be given. @throws SagaboxError `InvocationTimeout` */
  within<T>(work: Promise<T>): Promise<T> {
    // If both have ended, `#timeIsUp` counts, as the first one: the work failed because of that.
    return Promise.race([this.#timeIsUp, work]);
  }

  async #replayed(): Promise<Answer | undefined> {
    const record = this.#attempt.request.isRepeatable ? await openRequest(this.#attempt) : undefined;
    this.#delivery.assertOngoing();
    return record && (await replay(this.#attempt, record, true));
  }

  async #committedMeanwhile(error: unknown, signal: AbortSignal): Promise<Answer | undefined> {
    if (!this.#attempt.request.isRepeatable || isReuse(error)) return undefined;
    const { outbox } = this.#attempt.flow.ports;
    const found = await settled(outbox.find(this.id, this.#attempt.meter));
    if (found.status === 'rejected' || found.value === undefined) return undefined;
    if (this.#transaction) await close(this.#transaction);
    signal.throwIfAborted();
    return await replay(this.#attempt, found.value, false);
  }

  #end(failure?: { readonly error: unknown }): void {
    this.#delivery.span?.end(failure);
    this.#delivery.end('acknowledged');
    this.#ended.resolve();
  }
}

function isReuse(error: unknown): boolean {
  return isSagaboxError(error) && error.code === 'IdempotencyKeyReused';
}

/** Whether another request has the lease, or the record: a release would be a refused write. */
function isOthers(error: unknown): boolean {
  return isReuse(error) || (isSagaboxError(error) && error.code === 'RequestInProgress');
}
