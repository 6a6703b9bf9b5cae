/** Where one step of a process is. At most one step is `requested`, `compensating` or `compensationFailed`. */
export type StepState =
  | { readonly status: 'waiting' | 'declined' | 'compensated' }
  | {
      readonly status:
        | 'requested'
        | 'completed'
        /** It had no reply in time, so that it may have been done; it stays so if it has no compensation. */
        | 'timedOut';
      /** When it was requested. A later definition without it could not take the step back. */
      readonly hasCompensation?: true;
    }
  | { readonly status: 'compensating'; readonly attempt: number }
  | {
      readonly status: 'compensationFailed';
      readonly attempt: number;
      readonly reason: FailureReason;
    };

/** The service declined, or did not reply in time. */
export type FailureReason = 'declined' | 'timedOut';

/** Why a process takes back what it did. */
export interface ProcessFailure<Name extends string = string> {
  readonly step: Name;
  readonly reason: FailureReason;
}

/** A step that stays done when its process has taken back the others, or may stay so: it has no compensation. */
export interface RemainingStep<Name extends string = string> {
  readonly step: Name;
  /** `timedOut`: whether it was done is not known. */
  readonly status: 'completed' | 'timedOut';
}

/** `completed` and `compensated` are the ends; the others go on with a reply, a timeout, or an operator. */
export type ProcessStatus = 'running' | 'completed' | 'compensating' | 'compensationFailed' | 'compensated';

/** A process of steps, in their order. */
export interface Process<Name extends string = string> {
  /** Follows from the steps. */
  readonly status: ProcessStatus;
  readonly steps: Readonly<Record<Name, StepState>>;
  readonly failure?: ProcessFailure<Name>;
}

export interface PlannedStep<Name extends string = string> {
  readonly name: Name;
  readonly hasCompensation: boolean;
}

/** What a reply says of its step. */
export type ReplyKind = 'completed' | 'declined' | 'compensated' | 'compensationDeclined';

/** What happens to a process. The last two are about one attempt at a compensation. */
export type ProcessEvent<Name extends string = string> =
  | { readonly kind: 'started' }
  | { readonly kind: ReplyKind | 'timedOut'; readonly step: Name }
  | { readonly kind: 'compensationTimedOut' | 'resumed'; readonly step: Name; readonly attempt: number };

/** What a process sends: the command of a step, its compensation, or the notice that the compensation failed. */
export type ProcessMessage<Name extends string = string> =
  | { readonly kind: 'command'; readonly step: Name }
  | { readonly kind: 'compensation' | 'failureNotice'; readonly step: Name; readonly attempt: number };

export interface Transition<Name extends string = string> {
  /** The same object, if the event changes nothing. */
  readonly process: Process<Name>;
  readonly messages: readonly ProcessMessage<Name>[];
}

export function newProcess<Name extends string>(plan: readonly PlannedStep<Name>[]): Process<Name> {
  const steps = Object.fromEntries(plan.map(({ name }) => [name, { status: 'waiting' }]));
  return { status: 'running', steps: steps as Record<Name, StepState> };
}

/**
 * What an event makes of a process. An event that the step does not wait for changes nothing: a reply that comes too
 * late, one that comes twice, or the timeout of an earlier attempt.
 */
export function advance<Name extends string>(
  plan: readonly PlannedStep<Name>[],
  process: Process<Name>,
  event: ProcessEvent<Name>,
): Transition<Name> {
  if (event.kind === 'started') {
    const isNew = plan.every(({ name }) => stateOf(process, name).status === 'waiting');
    return isNew ? requestNext(plan, process) : { process, messages: [] };
  }
  const { step } = event;
  const before = stateOf(process, step);
  const state = nextState(before, event);
  if (state === undefined) return { process, messages: [] };
  // The process goes on without this step, and knows now whether it is done.
  if (before.status === 'timedOut')
    return { process: { ...process, steps: { ...process.steps, [step]: state } }, messages: [] };
  const changed = withStep(process, step, state);
  switch (state.status) {
    case 'completed':
      return requestNext(plan, changed, step);
    case 'compensating':
      return { process: changed, messages: [{ kind: 'compensation', step, attempt: state.attempt }] };
    case 'compensationFailed':
      return { process: changed, messages: [{ kind: 'failureNotice', step, attempt: state.attempt }] };
    case 'declined':
    case 'timedOut':
      return takeBack(plan, { ...changed, failure: { step, reason: state.status } });
    default:
      return takeBack(plan, changed);
  }
}

/** Whether it is done is not known. */
function isOpen(state: StepState): state is StepState & { readonly status: 'requested' | 'timedOut' } {
  return state.status === 'requested' || state.status === 'timedOut';
}

/** Undefined if the step does not wait for the event. */
function nextState(
  state: StepState,
  event: Exclude<ProcessEvent, { readonly kind: 'started' }>,
): StepState | undefined {
  switch (event.kind) {
    case 'declined':
      return isOpen(state) ? { status: 'declined' } : undefined;
    case 'completed':
      return isOpen(state) ? { ...state, status: 'completed' } : undefined;
    case 'timedOut':
      return state.status === 'requested' ? { ...state, status: 'timedOut' } : undefined;
    case 'compensated':
      // Also after it was taken for failed: the reply came late, or an operator moved the command back.
      return state.status === 'compensating' || state.status === 'compensationFailed'
        ? { status: 'compensated' }
        : undefined;
    case 'compensationDeclined':
      return state.status === 'compensating'
        ? { status: 'compensationFailed', attempt: state.attempt, reason: 'declined' }
        : undefined;
    case 'compensationTimedOut':
      return state.status === 'compensating' && state.attempt === event.attempt
        ? { status: 'compensationFailed', attempt: state.attempt, reason: 'timedOut' }
        : undefined;
    case 'resumed':
      return state.status === 'compensationFailed' && state.attempt === event.attempt
        ? { status: 'compensating', attempt: state.attempt + 1 }
        : undefined;
  }
}

/**
 * A step that the process began with is done wherever it has moved since.
 *
 * @param after the step that is completed: the turn of one that was added before it since is over
 */
function requestNext<Name extends string>(
  plan: readonly PlannedStep<Name>[],
  process: Process<Name>,
  after?: Name,
): Transition<Name> {
  const from = plan.findIndex(({ name }) => name === after) + 1;
  const next = plan.find(({ name }, index) => {
    const isTurn = index >= from || Object.hasOwn(process.steps, name);
    return isTurn && stateOf(process, name).status === 'waiting';
  });
  if (next === undefined) return { process: { ...process, status: 'completed' }, messages: [] };
  const { name: step, hasCompensation } = next;
  return {
    process: withStep(process, step, { status: 'requested', ...(hasCompensation && { hasCompensation }) }),
    messages: [{ kind: 'command', step }],
  };
}

/** A step that had no reply in time may have been done, too. */
export function mayBeDone(state: StepState): state is StepState & Pick<RemainingStep, 'status'> {
  return state.status === 'completed' || state.status === 'timedOut';
}

export function remainingSteps({ steps }: Process): RemainingStep[] {
  return Object.entries(steps).flatMap(([step, state]) =>
    mayBeDone(state) ? [{ step, status: state.status }] : [],
  );
}

/** The last one first, one after another. */
function takeBack<Name extends string>(
  plan: readonly PlannedStep<Name>[],
  process: Process<Name>,
): Transition<Name> {
  const last = plan.findLast(
    ({ name, hasCompensation }) => hasCompensation && mayBeDone(stateOf(process, name)),
  );
  if (last === undefined) return { process: { ...process, status: 'compensated' }, messages: [] };
  const { name: step } = last;
  return {
    process: withStep(process, step, { status: 'compensating', attempt: 1 }),
    messages: [{ kind: 'compensation', step, attempt: 1 }],
  };
}

/** A step that was added while the process was under way waits. */
function stateOf<Name extends string>({ steps }: Process<Name>, name: Name): StepState {
  const state: StepState | undefined = steps[name];
  return state ?? { status: 'waiting' };
}

function withStep<Name extends string>(process: Process<Name>, step: Name, state: StepState): Process<Name> {
  const { status } = state;
  const isUnderWay = status === 'compensating' || status === 'compensationFailed';
  return {
    ...process,
    status: isUnderWay ? status : 'running',
    steps: { ...process.steps, [step]: state },
  };
}
