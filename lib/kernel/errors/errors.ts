import { deliveryErrorMessages } from './delivery-errors.ts';
import { incomingErrorMessages } from './incoming-errors.ts';
import type { ErrorMessage } from './retryable.ts';
import { sagaErrorMessages } from './saga-errors.ts';
import { scatterGatherErrorMessages } from './scatter-gather-errors.ts';
import { sendingErrorMessages } from './sending-errors.ts';
import { sessionErrorMessages } from './session-errors.ts';
import { settingErrorMessages } from './setting-errors.ts';
import { tableErrorMessages } from './table-errors.ts';
import { testErrorMessages } from './test-errors.ts';

/**
 * Messages of all errors, made of their facts. The docstring of an entry is the error's cause, and `@remedy` its
 * remedy: docs/reference/errors.md is made of both.
 */
export const errorMessages = {
  ...sagaErrorMessages,
  ...deliveryErrorMessages,
  ...incomingErrorMessages,
  ...sendingErrorMessages,
  ...tableErrorMessages,
  ...sessionErrorMessages,
  ...scatterGatherErrorMessages,
  ...settingErrorMessages,
  ...testErrorMessages,
};

/** The code of a {@link SagaboxError}: one of docs/reference/errors.md, with the cause and the remedy of each. */
export type ErrorCode = keyof typeof errorMessages;

/** What is known about each error, by its code. */
export type ErrorFacts = { [C in ErrorCode]: Parameters<(typeof errorMessages)[C]>[0] };

/**
 * Their stack shows a line of a handler that has to be corrected. All others are told by their message: a log
 * line has no stack of them.
 */
export const codesWithStack: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'HandlerReturned',
  'InvalidOutgoingMessage',
  'InvalidTransactionItem',
  'InvalidContribution',
]);

/** On each of our errors, also those of another copy of sagabox: `instanceof` knows its own copy only. */
const brand: unique symbol = Symbol.for('sagabox.error');

/**
 * Every error that sagabox throws. Match on `code`, each of which docs/reference/errors.md explains; `facts` has what
 * the message was made of.
 *
 * @example
 * ```ts
 * import { SagaboxError } from 'sagabox';
 *
 * function isConflict(error: unknown): boolean {
 *   return error instanceof SagaboxError && error.code === 'SagaConcurrency';
 * }
 * ```
 */
export class SagaboxError<C extends ErrorCode = ErrorCode> extends Error {
  /** Lambda tells it as the error's type; a bundler that minifies would rename the class. */
  static override readonly name: string = 'SagaboxError';

  // On the prototype, where the head of the stack takes it from.
  override get name(): string {
    return 'SagaboxError';
  }

  /** @internal */
  get [brand](): true {
    return true;
  }

  readonly code: C;
  /** Whether the same message may succeed when it is simply tried again. */
  readonly retryable: boolean;
  readonly facts: Readonly<ErrorFacts[C]>;

  constructor(code: C, facts: ErrorFacts[C], options?: ErrorOptions) {
    const messages: { [Code in ErrorCode]: ErrorMessage<ErrorFacts[Code]> } = errorMessages;
    const message = messages[code];
    super(message(facts), options);
    this.code = code;
    this.retryable = message.retryable === true;
    this.facts = facts;
  }
}

/**
 * Thrown by a user's handler when trying again cannot help.
 *
 * @example
 * ```ts
 * import { UnrecoverableError } from 'sagabox';
 *
 * throw new UnrecoverableError('The card was reported stolen');
 * ```
 */
export class UnrecoverableError extends SagaboxError<'Unrecoverable'> {
  static override readonly name: string = 'UnrecoverableError';

  override get name(): string {
    return 'UnrecoverableError';
  }

  constructor(message: string, options?: ErrorOptions) {
    super('Unrecoverable', { detail: message }, options);
  }
}

/** For an option, a definition or an environment variable that cannot be used. */
export function configurationError(
  setting: string,
  problem: string,
  remedy: string,
  options?: ErrorOptions,
): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', { setting, problem, remedy }, options);
}

/**
 * Whether something is an error of sagabox, also one of another copy of it: a bundle has one of its own, and a
 * process may load two versions.
 *
 * @example
 * ```ts
 * import { isSagaboxError } from 'sagabox';
 *
 * function isConflict(error: unknown): boolean {
 *   return isSagaboxError(error) && error.code === 'SagaConcurrency';
 * }
 * ```
 */
export function isSagaboxError(error: unknown): error is SagaboxError {
  try {
    // A thrown proxy may throw when it is asked what it is, or for its code.
    const { [brand]: isOurs, code } = Object(error) as Partial<SagaboxError>;
    return isOurs === true && typeof code === 'string';
  } catch {
    // A proxy's: whatever it throws, it is none of ours.
    return false;
  }
}

export function isRetryable(error: unknown): boolean {
  return isSagaboxError(error) && error.retryable;
}
