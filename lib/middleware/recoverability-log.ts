import type { SQSRecord } from 'aws-lambda';
import { isSagaboxError } from '../core/failures/errors.ts';
import type { MessageLogger } from '../core/handlers/handler-context.ts';
import { headerNames } from '../core/incoming/headers.ts';
import { type MessageFacts, messageFacts } from '../core/incoming/message-logger.ts';
import type { FlowHooks } from '../flow/attempt.ts';
import type { DeliveryTime } from '../flow/batch/delivery.ts';
import { isNotStarted } from '../flow/batch/invocation-time.ts';
import type { MessageFailure, RecoverabilityObserver } from '../flow/recoverability/recoverability.ts';
import { reportEvent } from '../flow/report.ts';

/** Tells in the log, and to hooks, what becomes of messages that fail. */
export class RecoverabilityLog implements RecoverabilityObserver {
  readonly #endpoint: string;
  readonly #logger: MessageLogger;
  readonly #hooks: FlowHooks;

  constructor(endpoint: string | undefined, logger: MessageLogger, hooks: FlowHooks) {
    this.#endpoint = endpoint ?? '';
    this.#logger = logger;
    this.#hooks = hooks;
  }

  async retried(
    { message, saga, attempts, error }: MessageFailure,
    delayMs: number,
    time: DeliveryTime,
  ): Promise<void> {
    if (message === undefined) return;
    const facts = messageFacts(this.#endpoint, message, saga);
    const event = { type: 'retry', attempts, delayMs, error, ...facts } as const;
    await reportEvent(this.#hooks, { logger: this.#logger, delivery: { time } }, event);
  }

  returned(failure: MessageFailure, retryInSeconds: number): void {
    const facts = { ...this.#facts(failure), retryInSeconds };
    if (isNotStarted(failure.error))
      this.#logger.warn(textOf(failure, 'was not started and is returned to its queue'), facts);
    else this.#logger.error(textOf(failure, 'failed and is returned to its queue'), facts);
  }

  forwarded(failure: MessageFailure): void {
    this.#logger.error(textOf(failure, 'failed and is in the error queue'), this.#facts(failure));
  }

  forwardFailed(failure: MessageFailure, error: unknown): void {
    const text = textOf(failure, 'could not be sent to the error queue');
    this.#logger.error(text, { ...this.#facts(failure), ...errorFacts(error) });
  }

  ignored(failure: MessageFailure): void {
    const text = textOf(failure, 'failed and is ignored, as the recoverability policy says');
    this.#logger.warn(text, this.#facts(failure));
  }

  policyFailed(failure: MessageFailure, error: unknown): void {
    const text = textOf(failure, 'met a recoverability policy that failed: the default one decides');
    this.#logger.error(text, { ...this.#facts(failure), ...errorFacts(error) });
  }

  visibilityFailed(failures: readonly unknown[]): void {
    const text = `${failures.length} changes of visibility failed: the messages come back after the queue's visibility timeout`;
    this.#logger.warn(text, { failures });
  }

  #facts({ record, message, saga, error }: MessageFailure): Record<string, unknown> {
    return {
      sqsMessageId: record.messageId,
      ...(message ? messageFacts(this.#endpoint, message, saga) : statedFacts(this.#endpoint, record)),
      ...errorFacts(error),
    };
  }
}

/** What tells a message that was not read, or cannot be, by the headers of its record. */
function statedFacts(
  endpoint: string,
  { messageId: sqsId, messageAttributes }: SQSRecord,
): Partial<MessageFacts> {
  const header = (name: string) => messageAttributes?.[name]?.stringValue;
  const messageId = header(headerNames.messageId) || sqsId;
  const messageType = header(headerNames.messageType);
  const conversationId = header(headerNames.conversationId) ?? messageId;
  return { endpoint, messageId, ...(messageType === undefined ? {} : { messageType }), conversationId };
}

function textOf({ record }: MessageFailure, outcome: string): string {
  return `SQS message '${record.messageId}' ${outcome}`;
}

function errorFacts(error: unknown): Record<string, unknown> {
  if (!isSagaboxError(error)) return { code: undefined, facts: undefined, error };
  return { code: error.code, facts: error.facts, error };
}
