import { allAborted } from '../../core/async/all-aborted.ts';
import { Semaphore } from '../../core/async/semaphore.ts';
import { gaveNoAnswer } from '../../core/failures/no-answer.ts';
import type { DispatchedMessage, OutgoingMessage } from '../../core/incoming/message.ts';
import { limits } from '../../core/limits.ts';
import { addressOf, type Destination, isFifo } from '../../core/outgoing/destination.ts';
import { DISPATCH_CONCURRENCY, type Refusal } from '../../core/outgoing/dispatch-options.ts';
import type { Clock } from '../../ports.ts';
import { Coalescer, type PendingRequest } from './coalescer.ts';
import type { InFlight } from './in-flight.ts';

export interface SendFailure extends Refusal {
  /** What the SDK threw, for a call that failed as a whole. */
  readonly cause?: unknown;
}

/** A message of a call that was not taken, by its place among those that the call sent. */
export interface EntryFailure extends SendFailure {
  readonly index: number;
}

/** As SQS and SNS tell of it: the id of an entry is its place. */
export function toEntryFailure(entry: {
  Id: string | undefined;
  Code: string | undefined;
  Message?: string | undefined;
  SenderFault: boolean | undefined;
}): EntryFailure {
  const { Id, Code = 'unknown', Message = 'no message', SenderFault } = entry;
  return { index: Number(Id), isFinal: SenderFault === true, detail: `${Code}: ${Message}` };
}

/** What sends to destinations of one kind: each kind is a service of its own. */
export interface SendService<To extends Destination = Destination> {
  readonly kind: To['kind'];
  /** Of all messages of one call. */
  readonly maxBytes: number;
  bytesOf(message: OutgoingMessage): number;
  /** The names of errors of a whole call that no retry helps, whatever its messages are. */
  readonly destinationErrors: ReadonlySet<string>;
  /** The names of errors of a whole call that no retry helps, and that one of its messages may cause. */
  readonly messageErrors: ReadonlySet<string>;
  /** Loads what calls need, where they need anything. */
  load?(): Promise<unknown>;
  /** One call, in which each message is taken or refused by itself. */
  call(
    messages: readonly DispatchedMessage[],
    destination: To,
    abortSignal: AbortSignal | undefined,
  ): Promise<readonly EntryFailure[]>;
}

interface Send<To> {
  readonly message: OutgoingMessage;
  readonly bytes: number;
  readonly destination: To;
  readonly signal: AbortSignal | undefined;
}

/**
 * Puts messages to one destination into as few calls as possible: those of one handler, and those of handlers
 * whose messages are committed at the same time.
 */
export class SendBatcher<To extends Destination = Destination> {
  readonly service: SendService<To>;
  readonly #coalescer: Coalescer<Send<To>, SendFailure | undefined>;
  /** By the address of the destination. */
  readonly #calls = new Map<string | undefined, Semaphore>();

  /** @param commits a message that is being committed is going to be sent in a moment */
  constructor(service: SendService<To>, clock: Clock, commits: InFlight) {
    this.service = service;
    this.#coalescer = new Coalescer({
      gather: (left) => commits.gatherBehind(clock, left),
      fits: (group, send) => isOneCall(group, send, service.maxBytes),
      isFull: (group) => group.length === limits.sendBatchEntries,
      run: (group) => this.#call(group),
      failsAll: (error) => isOfCaller(error) || gaveNoAnswer(error) || this.#isOfDestination(error),
    });
  }

  /**
   * Its signal ends a call only together with those of all messages that share the call: by itself it would
   * take the others with it. Whoever is aborted alone stops waiting.
   *
   * @returns why the service did not take the message; undefined if it did
   * @throws what the SDK throws for a call that failed as a whole
   */
  async send(
    message: OutgoingMessage,
    destination: To,
    signal: AbortSignal | undefined,
  ): Promise<SendFailure | undefined> {
    const bytes = this.service.bytesOf(message);
    return await this.#coalescer.add({ message, bytes, destination, signal });
  }

  async #call(group: readonly PendingRequest<Send<To>, SendFailure | undefined>[]): Promise<void> {
    const sends = group.map(({ request }) => request);
    const messages = sends.map(({ message }) => message);
    const { destination } = sends[0] as Send<To>;
    const signal = allAborted(sends.map((send) => send.signal));
    const failures = await this.#callsTo(destination).run(
      async () => await this.service.call(messages, destination, signal),
    );
    const failureAt = new Map(failures.map((failure) => [failure.index, failure]));
    for (const [index, asked] of group.entries()) asked.resolve(failureAt.get(index));
  }

  #callsTo(destination: To): Semaphore {
    const address = addressOf(destination);
    const calls = this.#calls.get(address) ?? new Semaphore(DISPATCH_CONCURRENCY);
    this.#calls.set(address, calls);
    return calls;
  }

  #isOfDestination(error: unknown): boolean {
    return this.service.destinationErrors.has((error as Error).name);
  }
}

/**
 * Two of one FIFO group never go together: the service may refuse the first and take the second, which would
 * turn them round.
 */
function isOneCall<To extends Destination>(
  group: readonly Send<To>[],
  { message, bytes, destination }: Send<To>,
  maxBytes: number,
): boolean {
  const [first] = group;
  const isSameGroup = (other: Send<To>) => other.message.messageGroupId === message.messageGroupId;
  return (
    addressOf(first?.destination) === addressOf(destination) &&
    group.length < limits.sendBatchEntries &&
    group.reduce((total, send) => total + send.bytes, bytes) <= maxBytes &&
    !(isFifo(destination) && group.some(isSameGroup))
  );
}

/**
 * Errors of a call that has to do with who calls, whatever it sends: it is too much for now, or its credentials
 * do not hold. Source: "Common errors" in the API References of Amazon SQS, Amazon SNS and Amazon EventBridge.
 */
const callerErrors = new Set([
  'RequestThrottled',
  'ThrottledException',
  'ThrottlingException',
  'Throttling',
  'KmsThrottled',
  'KMSThrottlingException',
  'OverLimit',
  'ServiceUnavailable',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'CredentialsProviderError',
]);

function isOfCaller(error: unknown): boolean {
  return error instanceof Error && callerErrors.has(error.name);
}
