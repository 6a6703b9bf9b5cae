import { toMilliseconds } from '../../kernel/duration.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import type { SagaHandlerContext } from '../../saga/definition/saga-handler-context.ts';
import type { AnyDefinition, AnyStep, CompensationState, ProcessFacts, StepReplies } from './definition.ts';
import { type OwnBody, ownTypes } from './own-messages.ts';
import {
  advance,
  mayBeDone,
  type PlannedStep,
  type Process,
  type ProcessEvent,
  type ProcessMessage,
  remainingSteps,
  type StepState,
} from './process.ts';

export type ProcessContext = SagaHandlerContext<CompensationState>;

/** A delay, so that it is a timeout for the test kit too. */
const ownMessageLeavesAfter = { seconds: 1 };

/** Applies one event to the saga of a process, and sends what follows from it. */
export class ProcessRun {
  readonly #definition: AnyDefinition;
  readonly #plan: readonly PlannedStep[];
  readonly #context: ProcessContext;

  constructor(definition: AnyDefinition, plan: readonly PlannedStep[], context: ProcessContext) {
    this.#definition = definition;
    this.#plan = plan;
    this.#context = context;
  }

  start(request: unknown): void {
    const { saga } = this.#context;
    saga.state = { ...saga.state, request };
    this.#tryLongestTimeout();
    this.apply({ kind: 'started' });
  }

  /**
   * One that the endpoint cannot request, for want of a scheduler, is to refuse the process at its start, and not
   * leave it in the middle. The first transition cancels it.
   */
  #tryLongestTimeout(): void {
    const { saga, requestTimeout } = this.#context;
    const { name, steps } = this.#definition;
    const timeouts = Object.values(steps).flatMap(({ timeout, compensation }) => [
      toMilliseconds(timeout),
      ...(compensation ? [toMilliseconds(compensation.timeout)] : []),
    ]);
    const body: OwnBody = { process: saga.id, step: '', attempt: 0 };
    requestTimeout(ownTypes(name).timedOut, body, { after: { milliseconds: Math.max(...timeouts) } });
  }

  /** @param reply of an event that is one */
  apply(event: ProcessEvent, reply?: unknown): void {
    if (event.kind !== 'started') stepOf(this.#definition, event.step);
    const { saga, cancelTimeout } = this.#context;
    const { request, replies, ...before } = saga.state;
    const { process, messages } = advance(this.#plan, before, event);
    // Also of a step that is taken back by now: a compensation that is resumed is made of it. Of one that is not asked
    // yet, it belongs to an earlier process with this id, and of one that was declined, it completes nothing.
    const isNews =
      event.kind === 'completed' &&
      !['waiting', 'declined'].includes(before.steps[event.step]?.status ?? 'waiting') &&
      !Object.hasOwn(replies, event.step);
    saga.state = {
      ...process,
      request,
      replies: isNews ? { ...replies, [event.step]: reply } : replies,
    };
    if (process === before) {
      this.#tellIgnored(event);
      return;
    }
    // A late reply says what became of a step: what the process waits for is the same.
    if (messages.length === 0 && process.status === before.status) return;
    assertStepsKept(this.#definition, process);
    cancelTimeout(ownTypes(this.#definition.name).timedOut);
    for (const message of messages) this.#send(message);
    this.#announceEnd();
  }

  #send(message: ProcessMessage): void {
    const { saga, send, requestTimeout } = this.#context;
    const { request, replies } = saga.state;
    const { step } = message;
    const { to, compensation, ...first } = stepOf(this.#definition, step);
    const own = ownTypes(this.#definition.name);
    const ownBody = { process: saga.id, step, attempt: message.kind === 'command' ? 0 : message.attempt };
    if (message.kind === 'failureNotice') {
      requestTimeout(own.compensationFailed, ownBody, { after: ownMessageLeavesAfter });
    } else if (message.kind === 'command') {
      send(to.name, first.command, first.body({ request, replies }));
      requestTimeout(own.timedOut, ownBody, { after: first.timeout });
    } else {
      if (compensation === undefined) throw removed(this.#definition, `${step}.compensation`);
      send(to.name, compensation.command, compensation.body({ request, replies, reply: replies[step] }));
      requestTimeout(own.timedOut, ownBody, { after: compensation.timeout });
    }
  }

  /**
   * What the definition does at the end has a message of its own: if it throws, that message waits in the error
   * queue, and no step is taken for one without a reply.
   */
  #announceEnd(): void {
    const { saga, requestTimeout } = this.#context;
    const { name, onCompleted, onCompensated } = this.#definition;
    const { status } = saga.state;
    if (status !== 'completed' && status !== 'compensated') return;
    const atEnd = status === 'completed' ? onCompleted : onCompensated;
    const body: OwnBody = { process: saga.id, step: '', attempt: 0 };
    if (atEnd === undefined) saga.complete();
    else requestTimeout(ownTypes(name).ended, body, { after: ownMessageLeavesAfter });
  }

  async end(): Promise<void> {
    const { saga } = this.#context;
    const { status, failure, request, replies } = saga.state;
    const facts: ProcessFacts = { request, replies };
    const completed = { request, replies: completedReplies(this.#definition, replies) };
    const remaining = remainingSteps(saga.state);
    const { onCompleted, onCompensated } = this.#definition;
    if (status === 'completed') await onCompleted?.(completed, this.#context);
    else if (status === 'compensated' && failure)
      await onCompensated?.({ ...facts, failure, remaining }, this.#context);
    else return;
    saga.complete();
  }

  #tellIgnored(event: ProcessEvent): void {
    const { saga, logger } = this.#context;
    const { status, steps } = saga.state;
    const facts = { sagaName: saga.name, sagaId: saga.id, event, status };
    if (event.kind === 'completed') {
      const { step } = event;
      const contradicted = settled[steps[step]?.status ?? 'waiting'];
      if (contradicted !== undefined) {
        const { command } = stepOf(this.#definition, step);
        // Nothing takes it back again.
        logger.warn(`A service says that a step is done that ${contradicted}`, { ...facts, step, command });
        return;
      }
    }
    logger.info('A message to a process changes nothing: its step does not wait for it', facts);
  }
}

/** What the process takes for certain of a step that is not done. */
const settled: Partial<Record<StepState['status'], string>> = {
  compensated: 'is taken back already',
  declined: 'was declined',
};

/** @throws SagaboxError `Configuration` for one that a process under way has, and its definition has no more */
function stepOf(definition: AnyDefinition, step: string): AnyStep {
  const found = Object.hasOwn(definition.steps, step) ? definition.steps[step] : undefined;
  if (found === undefined) throw removed(definition, step);
  return found;
}

/**
 * A process takes back the steps of its definition: one that the definition has no more, or has without the
 * compensation that it had, would stay done.
 *
 * @throws SagaboxError `Configuration`
 */
function assertStepsKept(definition: AnyDefinition, { status, steps }: Process): void {
  if (status !== 'compensating' && status !== 'compensated') return;
  for (const [name, state] of Object.entries(steps)) {
    if (!mayBeDone(state)) continue;
    const { compensation } = stepOf(definition, name);
    if ('hasCompensation' in state && compensation === undefined)
      throw removed(definition, `${name}.compensation`);
  }
}

/** Its types promise the reply of each step, and one that was added too late has none. */
function completedReplies({ name, steps }: AnyDefinition, replies: StepReplies): StepReplies {
  const missing = Object.keys(steps).filter((step) => !Object.hasOwn(replies, step));
  if (missing.length === 0) return replies;
  const refusals = missing.map((step) => {
    const get = () => {
      const problem = 'it was added when the process was past it, which has no reply of it';
      const remedy = `Ask for it only if Object.hasOwn(replies, '${step}')`;
      throw configurationError(`compensate '${name}': replies.${step}`, problem, remedy);
    };
    return [step, { get }] as const;
  });
  return Object.assign(Object.create(Object.defineProperties({}, Object.fromEntries(refusals))), replies);
}

function removed({ name }: AnyDefinition, what: string): Error {
  const remedy = 'Deploy the definition with it again, until no process needs it';
  return configurationError(`compensate '${name}': steps.${what}`, 'a process under way needs it', remedy);
}
