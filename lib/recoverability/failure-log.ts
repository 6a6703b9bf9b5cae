import type { SQSRecord } from 'aws-lambda';
import { isNotStarted } from '../attempt/invocation-deadline.ts';
import { type Reporter, reportEvent } from '../attempt/report.ts';
import { isError } from '../kernel/errors/thrown.ts';
import { headerNames } from '../messages/headers.ts';
import type { MessageLogger } from '../messages/logger.ts';
import type { FlowHooks } from '../observe/hooks.ts';
import { failureFields, logFields } from '../observe/logs/log-fields.ts';
import { type MessageFacts, messageFacts } from '../observe/logs/message-logger.ts';
import { isLastDelivery, type MessageFailure } from './policy.ts';

const NAMED_FAILURES = 10;

/** Logs, and tells the hooks, how each failed message is handled. */
export class FailureLog {
  readonly #endpoint: string;
  readonly #logger: MessageLogger;
  readonly #hooks: FlowHooks;

  constructor(endpoint: string | undefined, logger: MessageLogger, hooks: FlowHooks) {
    this.#endpoint = endpoint ?? '';
    this.#logger = logger;
    this.#hooks = hooks;
  }

  /** Reports that the message is retried in this invocation, after the delay. */
  async retried(
    { message, saga, attempts, error }: MessageFailure,
    delayMs: number,
    delivery: Reporter['delivery'],
  ): Promise<void> {
    if (message === undefined) return;
    const facts = messageFacts(this.#endpoint, message, saga);
    const event = { type: 'retry', attempts, delayMs, error, ...facts } as const;
    await reportEvent(this.#hooks, { logger: this.#logger, delivery }, event);
  }

  /** @param retryInSeconds `undefined` if the visibility timeout of the queue decides */
  returned(failure: MessageFailure, retryInSeconds: number | undefined): void {
    if (isNotStarted(failure.error)) this.#returnedUnstarted(failure, retryInSeconds);
    else if (isLastDelivery(failure))
      this.#write('error', failure, 'failed at its last delivery and goes to the dead letter queue');
    else if (retryInSeconds === undefined)
      this.#write('error', failure, 'failed and is returned to its queue without a delay of its own');
    else this.#write('error', failure, 'failed and is returned to its queue', { more: { retryInSeconds } });
  }

  #returnedUnstarted(failure: MessageFailure, retryInSeconds: number | undefined): void {
    const more = { retryInSeconds };
    if (isLastDelivery(failure))
      this.#write('warn', failure, 'was not started at its last delivery and goes to the dead letter queue');
    else if (retryInSeconds === undefined)
      this.#write('warn', failure, 'was not started and is returned to its queue without a delay of its own');
    else this.#write('warn', failure, 'was not started and is returned to its queue', { more });
  }

  forwarded(failure: MessageFailure): void {
    this.#write('error', failure, 'failed and is in the error queue');
  }

  /** The next line tells what the message itself failed with. */
  forwardFailed(failure: MessageFailure, error: unknown): void {
    this.#write('error', failure, 'could not be sent to the error queue', { error });
  }

  ignored(failure: MessageFailure): void {
    this.#write('warn', failure, 'failed and is ignored, as the recoverability policy says');
  }

  /**
   * The policy returned no action in time, or one that is not allowed; the default policy decides. The next
   * line tells what the message itself failed with.
   */
  policyFailed(failure: MessageFailure, error: unknown): void {
    this.#write('error', failure, 'met a recoverability policy that failed: the default one decides', {
      error,
    });
  }

  visibilityFailed(failures: readonly unknown[]): void {
    const error = failures.find(isError);
    const refused = failures.filter((failure) => !isError(failure)).slice(0, NAMED_FAILURES);
    this.#logger.warn(
      "Some changes of visibility failed: the messages come back after the queue's visibility timeout",
      {
        endpoint: this.#endpoint,
        failed: failures.filter((failure) => !isError(failure)).length,
        ...(refused.length > 0 && { refused }),
        ...(error && failureFields(error)),
      },
    );
  }

  #write(
    level: 'warn' | 'error',
    failure: MessageFailure,
    outcome: string,
    { error = failure.error, more = {} }: { error?: unknown; more?: object } = {},
  ): void {
    const { record, message, saga } = failure;
    const facts = message
      ? messageFacts(this.#endpoint, message, saga)
      : factsFromRecord(this.#endpoint, record);
    const known = { sqsMessageId: record.messageId, ...facts, ...more };
    this.#logger[level](`A message ${outcome}`, logFields(known, failureFields(error)));
  }
}

/** The facts of a message that could not be read, from the headers of its SQS record. */
function factsFromRecord(
  endpoint: string,
  { messageId: sqsId, messageAttributes }: SQSRecord,
): Partial<MessageFacts> {
  const header = (name: string) => messageAttributes?.[name]?.stringValue;
  const messageId = header(headerNames.messageId) || sqsId;
  const messageType = header(headerNames.messageType);
  const conversationId = header(headerNames.conversationId) ?? messageId;
  return { endpoint, messageId, ...(messageType === undefined ? {} : { messageType }), conversationId };
}
