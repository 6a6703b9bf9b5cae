import { WatchedPromise } from '../kernel/async/watched-promise.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { thrownMessage } from '../kernel/errors/thrown.ts';
import type { UnitOfWorkContext } from '../sending/unit-of-work-context.ts';

export type SendImmediately = (
  ...parameters: Parameters<UnitOfWorkContext['sendImmediately']>
) => Promise<void>;

interface ImmediateSend {
  readonly messageId: string;
  readonly sending: WatchedPromise<void>;
  failure?: { readonly error: unknown };
}

/** What handlers send with `sendImmediately`: production logs what fails of it, and a test is told. */
export class ImmediateSends {
  readonly #sends: ImmediateSend[] = [];

  /** @param context of a handler: its `sendImmediately` is replaced by one that is watched */
  watch(messageId: string, context: { sendImmediately?: SendImmediately }): void {
    const { sendImmediately } = context;
    if (sendImmediately === undefined) return;
    context.sendImmediately = (...parameters) => {
      const given = sendImmediately(...parameters);
      const send: ImmediateSend = { messageId, sending: WatchedPromise.of(given) };
      this.#sends.push(send);
      given.catch((error: unknown) => {
        send.failure = { error };
      });
      return send.sending;
    };
  }

  /** By the ids of messages: of those that failed while nobody waited for them, the first one. */
  get failures(): ReadonlyMap<string, SagaboxError<'ImmediateSendFailed'>> {
    const failures = new Map<string, SagaboxError<'ImmediateSendFailed'>>();
    for (const { messageId, sending, failure } of this.#sends) {
      if (failure === undefined || sending.wasAwaited || failures.has(messageId)) continue;
      const { error: cause } = failure;
      const facts = { messageId, detail: thrownMessage(cause) };
      failures.set(messageId, new SagaboxError('ImmediateSendFailed', facts, { cause }));
    }
    return failures;
  }
}
