import { type RoundedInteger, roundingProblem } from '../values/rounded-integer.ts';
import type { OfMessage } from './delivery-errors.ts';
import { retryable } from './retryable.ts';

export interface OfSaga {
  sagaName: string;
  sagaId: string;
}

const changedMeanwhile = ': it was updated by another process or no longer exists';

const outcomeOfConflict = {
  create: 'could not be created, possibly due to a concurrency conflict',
  update: `could not be updated${changedMeanwhile}`,
  complete: `could not be completed${changedMeanwhile}`,
  /** A message that no saga waits for was to be discarded. */
  check:
    'was created, updated or completed by another process ' +
    'while a message that it did not wait for was discarded',
} as const;

const outboxes = { records: 'outbox records', embedded: 'an embedded outbox' } as const;

const unreadable = 'Nothing is committed, because no later message could read it.';

const invalidStates = {
  read: ['stored state', 'Nothing is changed. Correct the schema, or migrate the states of this form.'],
  /** The first handler did not mend it. */
  start: [
    'initial state',
    `${unreadable} Correct initialState, or set these values in the handler that starts the saga.`,
  ],
  write: [
    'state that a handler left',
    `${unreadable} Correct the handler, or the schema: it must accept what it returns.`,
  ],
} as const;

function sagaOf({ sagaName, sagaId }: OfSaga): string {
  return `'${sagaName}' saga with id '${sagaId}'`;
}

/** Errors of sagas: the message of each, made of its facts. */
export const sagaErrorMessages = {
  /**
   * Another handler committed the saga first: `operation` says whether this one was to `create`, `update`
   * or `complete` it, or to `check` it for a message that was to be discarded.
   *
   * @remedy No action is needed for a single one: the retry reads the saga again. Many of them on one saga:
   * [reduce contention](docs/guide/concurrency.md#reduce-contention).
   */
  SagaConcurrency: retryable(
    (f: OfSaga & { operation: keyof typeof outcomeOfConflict }) =>
      `The ${sagaOf(f)} ${outcomeOfConflict[f.operation]}.`,
  ),
  /**
   * Other messages kept the saga locked until `leaseAcquisitionTimeout`, or until the invocation had no
   * time left.
   *
   * @remedy Raise `leaseAcquisitionTimeout`, make the handlers faster, or let fewer messages meet the saga
   * at a time; see [Leases](docs/guide/concurrency.md#leases).
   */
  LockTimeout: retryable(
    (f: OfSaga & { attempts: number; waitedMs: number }) =>
      `The ${sagaOf(f)} stayed locked by others: ${f.attempts} attempts in ${f.waitedMs} ms. ` +
      'Raise leaseAcquisitionTimeout, make its handlers faster, or let fewer messages meet it at a time.',
  ),
  /**
   * The state of the saga holds a value that would come back as another one. The error names its path.
   *
   * @remedy Store the value in [another form](docs/guide/sagas.md#what-to-store-instead).
   */
  UnsupportedState: (f: OfSaga & { detail: string }) =>
    `The state of the ${sagaOf(f)} cannot be stored: ${f.detail}.`,
  /**
   * The state does not fit the [`stateSchema`](docs/guide/sagas.md#a-schema-for-the-state) of the saga: the
   * stored one (`operation: 'read'`), the one that the handler left (`'write'`), or the initial one, which
   * the first handler did not correct (`'start'`). The saga does not change, and the message is kept.
   *
   * @remedy For `read`, correct the schema, or [migrate](docs/guide/sagas.md#migrations) the states of this
   * form. For `write`, correct the handler or the schema. For `start`, correct `initialState`, or set the
   * values in the handler that starts the saga.
   */
  InvalidSagaState: (
    f: OfSaga & { stateVersion: number; operation: keyof typeof invalidStates; issues: readonly string[] },
  ) => {
    const [state, remedy] = invalidStates[f.operation];
    const issues = `(version ${f.stateVersion}): ${f.issues.join('; ')}`;
    return `The ${state} of the ${sagaOf(f)} does not fit its stateSchema ${issues}. ${remedy}`;
  },
  /**
   * The [saga store of your own](docs/guide/custom-saga-store.md) returned something else than a saga or
   * writes of DynamoDB, or a saga has timeouts and the store does not keep its details. Nothing is
   * committed, and the message is kept.
   *
   * @remedy The error names what is wrong: correct `load` or `writesOf`, or let the store keep the details.
   */
  InvalidSagaStore: (f: OfSaga & { detail: string }) =>
    `The sagaStore gives nothing that can be used for the ${sagaOf(f)}: ${f.detail}. Nothing is committed.`,
  /**
   * The state has a version that this code does not read: newer code wrote it, or its
   * [migration](docs/guide/sagas.md#migrations) was removed. The saga does not change, and the message is
   * kept.
   *
   * @remedy Deploy the code that wrote the state, or later code. If the version is an old one, give
   * `migrate` a function for it and for each version after it.
   */
  UnknownStateVersion: (f: OfSaga & { stateVersion: number; oldest: number; newest: number }) =>
    `The state of the ${sagaOf(f)} has version ${f.stateVersion}, and this code reads ` +
    `${f.oldest === f.newest ? `version ${f.newest}` : `versions ${f.oldest} to ${f.newest}`}: ` +
    'it is kept as it is. ' +
    (f.stateVersion > f.newest
      ? 'Deploy the code that wrote it, or a later one: does a former version still run?'
      : `Give 'migrate' a function for version ${f.stateVersion} and each one after it.`),
  /**
   * `saga.state`, `saga.complete()`, `saga.append` or `saga.collect` was used [after the handler had
   * returned](docs/reference/options.md#after-the-handler-returned), or after its attempt was aborted. Or
   * the handler did not await `saga.collect`.
   *
   * @remedy Await every promise in the handler.
   */
  HandlerReturned: (f: OfSaga & { member: string; isUnderWay?: boolean }) =>
    `${f.member} of the ${sagaOf(f)} ` +
    `${f.isUnderWay ? 'was not awaited by the handler' : 'was used after the handler had returned'}: ` +
    'await every promise in it.',
  /**
   * `correlate` returned no value for the message.
   *
   * @remedy Return a string or a number that is not empty, or correct the sender of the message.
   */
  CorrelationMissing: (f: OfMessage & { sagaName: string }) =>
    `Message '${f.messageId}' of type '${f.messageType}' has no correlation value for the ` +
    `'${f.sagaName}' saga: 'correlate' must return a string or number that is not empty.`,
  /**
   * The [correlation value](docs/guide/sagas.md#the-correlation-value) of the message is made of an integer
   * beyond 2^53 - 1. JavaScript rounds such integers: `9007199254740993` is read as `9007199254740992`, so
   * that the messages of two sagas would meet in one.
   *
   * @remedy Have the sender write the value that the error names as a string: `"9007199254740993"`. Other
   * fields may hold such numbers.
   */
  CorrelationRounded: (f: OfMessage & { sagaName: string } & RoundedInteger) =>
    `Message '${f.messageId}' of type '${f.messageType}' names no one '${f.sagaName}' saga: its correlation value ` +
    `is ${roundingProblem(f)}.`,
  /**
   * What a handler [appends or collects](docs/guide/appending.md) is refused at once: its key, its value or
   * its options are invalid, its key is made of an integer of the message that JavaScript may have
   * [rounded](docs/guide/sagas.md#the-correlation-value), or its message type is not in `appendedBy` or
   * `collectedBy`. Or the handler collected some values and completed the saga, although `hasMore` was
   * `true`. Nothing is committed.
   *
   * @remedy The error names what to change.
   */
  InvalidContribution: (f: OfSaga & { key: string; detail: string }) =>
    `What is appended or collected under '${f.key}' of the ${sagaOf(f)} is refused: ${f.detail}.`,
  /**
   * A handler of a type in [`appendedBy`](docs/guide/appending.md) changed the state or the timeouts of its
   * saga, or completed it. Nothing is committed.
   *
   * @remedy Take the type out of `appendedBy`, or append what the handler learnt.
   */
  AppendOnly: (f: OfSaga) =>
    `A handler of a type in 'appendedBy' changed the state or the timeouts of the ${sagaOf(f)}, or completed it: ` +
    "nothing is committed. Take the type out of 'appendedBy', or append what the handler learnt.",
  /**
   * The saga is stored with another
   * [outbox](docs/guide/embedded-outbox.md#change-a-saga-that-has-instances) than its definition says,
   * records or an embedded one, and was changed within the deduplication period (`takenFrom` says when the
   * handler accepts it), or has something pending (`takenFrom` is undefined). The saga does not change, and
   * the message is kept.
   *
   * @remedy Deploy the handler with `outbox: embeddedOutbox({ withRecords: true })`, and move the messages
   * back that went to the error queue meanwhile.
   */
  OtherSagaForm: (
    f: OfSaga & {
      stored: keyof typeof outboxes;
      expected: keyof typeof outboxes;
      /** When the handler takes it; undefined while something is pending. */
      takenFrom: string | undefined;
    },
  ) =>
    `The ${sagaOf(f)} is stored with ${outboxes[f.stored]}, and its handler has ${outboxes[f.expected]}. Deploy the ` +
    `handler with outbox: embeddedOutbox({ withRecords: true }), and with ${outboxes[f.expected]} ` +
    (f.takenFrom === undefined
      ? 'once the relay has dispatched what is pending in the item.'
      : `one deduplication period after the last one with ${outboxes[f.stored]} has ended: this saga not before ${f.takenFrom}.`),
  /**
   * A saga with an [embedded outbox](docs/guide/embedded-outbox.md#what-is-guaranteed) was created by
   * another endpoint, or by this one under [another name](docs/guide/upgrading.md#names). It does not
   * change, and the message is kept.
   *
   * @remedy Handle all messages of the saga at the endpoint that created it. To move the saga or to rename
   * the endpoint, change the saga to outbox records under the former name first.
   */
  SagaOfOtherEndpoint: (f: OfSaga & { owner: string; endpoint: string }) =>
    `The ${sagaOf(f)} has the outbox of endpoint '${f.owner}' in its item, and a message of it came to endpoint ` +
    `'${f.endpoint}'. Handle all messages of the saga at '${f.owner}'. To move it, or to rename the endpoint, lead the ` +
    'saga to outbox records at the former name first.',
  /**
   * A message would start a process of [`compensate`](docs/guide/compensation.md) that is under way, or
   * waits for its end, with another request. A schema of `startedBy` that fills in values, such as a time,
   * makes each message another request. The one that is under way goes on.
   *
   * @remedy Give each request a correlation value of its own. To have the message start a process after
   * all, move it back with [`sagabox redrive`](docs/reference/cli.md#sagabox-redrive) when the one under
   * way has ended.
   */
  ProcessRunning: (f: OfSaga & { messageType: string }) =>
    `'${f.messageType}' would start the ${sagaOf(f)}, which is under way with another request, and goes on: give each ` +
    'request a correlation value of its own.',
  /**
   * A compensation of a [process](docs/guide/compensation.md#a-compensation-that-fails) was declined, or
   * had no reply in time. The saga waits, with the state `compensationFailed`.
   *
   * @remedy Correct the cause, then move the message back with [`sagabox
   * redrive`](docs/reference/cli.md#sagabox-redrive): the saga sends the command again.
   */
  CompensationFailed: (
    f: OfSaga & { step: string; command: string; attempt: number; reason: 'declined' | 'timedOut' },
  ) =>
    `The compensation '${f.command}' of step '${f.step}' of the ${sagaOf(f)} failed (${f.reason}, attempt ` +
    `${f.attempt}): the saga takes nothing else back until it is done. Correct the cause, then move this message ` +
    'back with sagabox redrive: the saga sends the command again.',
};
