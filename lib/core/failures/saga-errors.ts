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

/** Of the errors of sagas: their facts, and what they say. */
export const sagaErrorMessages = {
  /** Two handlers worked on one saga at a time; the other one committed first. */
  SagaConcurrency: (f: OfSaga & { operation: keyof typeof outcomeOfConflict }) =>
    `The ${sagaOf(f)} ${outcomeOfConflict[f.operation]}.`,
  /** The saga stayed locked by others for as long as there was time to wait. */
  LockTimeout: (f: OfSaga & { attempts: number; waitedMs: number }) =>
    `The ${sagaOf(f)} stayed locked by others: ${f.attempts} attempts in ${f.waitedMs} ms. ` +
    'Raise leaseAcquisitionTimeout, make its handlers faster, or let fewer messages meet it at a time.',
  /** The saga state holds a value that would not come back as it was; the detail names path and remedy. */
  UnsupportedState: (f: OfSaga & { detail: string }) =>
    `The state of the ${sagaOf(f)} cannot be stored: ${f.detail}.`,
  /** What a saga store of the user's returned is no saga, or no write. */
  InvalidSagaStore: (f: OfSaga & { detail: string }) =>
    `The sagaStore gives nothing that can be used for the ${sagaOf(f)}: ${f.detail}. Nothing is committed.`,
  /** The state of a saga, as it is read, starts or is left by a handler, does not fit the saga's schema. */
  InvalidSagaState: (
    f: OfSaga & { stateVersion: number; operation: keyof typeof invalidStates; issues: readonly string[] },
  ) => {
    const [state, remedy] = invalidStates[f.operation];
    const issues = `(version ${f.stateVersion}): ${f.issues.join('; ')}`;
    return `The ${state} of the ${sagaOf(f)} does not fit its stateSchema ${issues}. ${remedy}`;
  },
  /** The state of a saga has a form that this code has no migration from. */
  UnknownStateVersion: (f: OfSaga & { stateVersion: number; oldest: number; newest: number }) =>
    `The state of the ${sagaOf(f)} has version ${f.stateVersion}, and this code reads ` +
    `${f.oldest === f.newest ? `version ${f.newest}` : `versions ${f.oldest} to ${f.newest}`}: ` +
    'it is kept as it is. ' +
    (f.stateVersion > f.newest
      ? 'Deploy the code that wrote it, or a later one: does a former version still run?'
      : `Give 'migrate' a function for version ${f.stateVersion} and each one after it.`),
  /** What belongs to a handler was used behind its return, by a promise that it did not await. */
  HandlerReturned: (f: OfSaga & { member: string; isUnderWay?: boolean }) =>
    `${f.member} of the ${sagaOf(f)} ` +
    `${f.isUnderWay ? 'was not awaited by the handler' : 'was used after the handler had returned'}: ` +
    'await every promise in it.',
  /** What a handler appends or collects cannot be: the detail names cause and remedy. */
  InvalidContribution: (f: OfSaga & { key: string; detail: string }) =>
    `What is appended or collected under '${f.key}' of the ${sagaOf(f)} is refused: ${f.detail}.`,
  /** A handler whose message type is in `appendedBy` changed its saga. */
  AppendOnly: (f: OfSaga) =>
    `A handler of a type in 'appendedBy' changed the state or the timeouts of the ${sagaOf(f)}, or completed it: ` +
    "nothing is committed. Take the type out of 'appendedBy', or append what the handler learnt.",
  /** A saga is stored in another form than its definition says. */
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
  /** A message would start a process that is under way, with another request. */
  ProcessRunning: (f: OfSaga & { messageType: string }) =>
    `'${f.messageType}' would start the ${sagaOf(f)}, which is under way with another request, and goes on: give each ` +
    'request a correlation value of its own.',
  /** What takes a step of a process back was declined, or had no reply in time. */
  CompensationFailed: (
    f: OfSaga & { step: string; command: string; attempt: number; reason: 'declined' | 'timedOut' },
  ) =>
    `The compensation '${f.command}' of step '${f.step}' of the ${sagaOf(f)} failed (${f.reason}, attempt ` +
    `${f.attempt}): the saga takes nothing else back until it is done. Correct the cause, then move this message ` +
    'back with sagabox redrive: the saga sends the command again.',
  /** A saga with an embedded outbox belongs to the endpoint that created it. */
  SagaOfOtherEndpoint: (f: OfSaga & { owner: string; endpoint: string }) =>
    `The ${sagaOf(f)} has the outbox of endpoint '${f.owner}' in its item, and a message of it came to endpoint ` +
    `'${f.endpoint}'. Handle all messages of the saga at '${f.owner}'. To move it, or to rename the endpoint, lead the ` +
    'saga to outbox records at the former name first.',
};
