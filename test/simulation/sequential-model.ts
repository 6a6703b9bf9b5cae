import {
  answerToNote,
  bodyOfSend,
  destinationOfSend,
  endpointNames,
  type MessageScript,
  requestedTimeouts,
  timeoutBody,
} from './message-script.ts';

export interface ModelMessage {
  readonly endpoint: string;
  readonly id: string;
  readonly type: string;
  readonly body: unknown;
  readonly isTimeout: boolean;
}

export interface ModelSaga {
  readonly life: string;
  readonly ledger: readonly string[];
  readonly timeouts: readonly { readonly id: string; readonly scheduled: boolean }[];
}

export type ModelOperation =
  | { readonly destination: string; readonly type: string; readonly body: unknown; readonly delayed: string }
  | { readonly cancels: string };

export interface ModelStep {
  /** Nothing when the message could not have been handled at this place in the order. */
  readonly refusal?: string;
  /** Nothing when it ends with this message, or is not there. */
  readonly saga: ModelSaga | undefined;
  readonly operations: readonly ModelOperation[];
}

/** Beside what was there before: only what has changed is written. */
export interface AppliedStep extends ModelStep {
  readonly isSagaChanged: boolean;
}

/** The endpoints without lock, version and outbox, for messages that come one after another. */
export class SequentialModel {
  readonly sagas = new Map<string, ModelSaga>();
  /** What came of a message, by endpoint and id: nothing else ever comes of it. */
  readonly #ended = new Map<string, 'handled' | 'discarded' | 'ignored'>();

  /** @returns why the message could not have been discarded at this place in the order */
  discard(message: ModelMessage): string | undefined {
    return this.waitsFor(message) ? 'its saga waits for it' : this.#end(message, 'discarded');
  }

  /** @returns why the message could not have been ignored at this place in the order */
  ignore(message: ModelMessage): string | undefined {
    return this.#end(message, 'ignored');
  }

  /** @returns why it cannot end so: it has ended before */
  #end({ endpoint, id }: ModelMessage, end: 'handled' | 'discarded' | 'ignored'): string | undefined {
    const key = `${endpoint} ${id}`;
    const before = this.#ended.get(key);
    this.#ended.set(key, before ?? end);
    return before && `it was ${before} before`;
  }

  /** Whether a message would be handled now: a saga waits for it, or it starts one. */
  waitsFor(message: ModelMessage): boolean {
    if (message.endpoint === endpointNames.audit) return true;
    const script = message.body as MessageScript;
    const stored = this.sagas.get(script.saga);
    if (message.isTimeout) return stored?.timeouts.some(({ id }) => id === message.id) ?? false;
    return message.type === 'Start' || stored !== undefined;
  }

  /**
   * Handles the next message.
   *
   * @param isUnchecked it was committed without a look at the version of its saga: it may have seen an
   *   earlier one
   */
  handle(message: ModelMessage, idsOfOperations: readonly string[], isUnchecked = false): AppliedStep {
    const refusal = this.#end(message, 'handled');
    if (refusal) return { ...refused(refusal, undefined), isSagaChanged: false };
    if (message.endpoint === endpointNames.audit) return { ...handleNote(message), isSagaChanged: false };
    const script = message.body as MessageScript;
    const before = this.sagas.get(script.saga);
    if (isUnchecked && message.type === 'Start' && script.completes) {
      // It saw no saga, started one and ended it: what others have started meanwhile is not its own.
      const step = handleOrder(message, script, undefined, idsOfOperations);
      return { ...step, saga: before, isSagaChanged: false };
    }
    const step = handleOrder(message, script, before, idsOfOperations);
    if (step.saga) this.sagas.set(script.saga, step.saga);
    else this.sagas.delete(script.saga);
    return { ...step, isSagaChanged: JSON.stringify(before) !== JSON.stringify(step.saga) };
  }
}

function handleNote({ body }: ModelMessage): ModelStep {
  const { saga, answered } = body as { saga: string; answered: boolean };
  const answer = {
    destination: endpointNames.orders,
    type: 'Change',
    body: answerToNote(saga),
    delayed: 'none',
  };
  return { saga: undefined, operations: answered ? [answer] : [] };
}

function handleOrder(
  { id, type, isTimeout }: ModelMessage,
  script: MessageScript,
  stored: ModelSaga | undefined,
  ids: readonly string[],
): ModelStep {
  if (type === 'Look') return look(script, stored, ids);
  if (stored === undefined && type !== 'Start') return refused('there is no saga', stored);
  if (isTimeout && !stored?.timeouts.some((timeout) => timeout.id === id)) {
    return refused('the saga does not wait for this timeout', stored);
  }
  const life = stored?.life ?? id;
  const ledger = [...(stored?.ledger ?? []), id];
  const awaited = (stored?.timeouts ?? []).filter((timeout) => timeout.id !== id);
  const sent = sentBy(script, ledger.length, life, awaited);
  if (type === 'Finish' || script.completes) {
    const operations = [...sent.operations.filter(isNoTimeout), ...sent.kept.flatMap(cancellation)];
    return { saga: undefined, operations };
  }
  return { saga: { life, ledger, timeouts: timeoutsAfter(sent, ids) }, operations: sent.operations };
}

/** It changes nothing but timeouts, and is committed without a check when it does not. */
function look(script: MessageScript, stored: ModelSaga | undefined, ids: readonly string[]): ModelStep {
  const sent = sentBy(script, 0, '', stored?.timeouts ?? []);
  const saga = stored && { ...stored, timeouts: timeoutsAfter(sent, ids) };
  return { saga, operations: sent.operations };
}

interface Sent {
  readonly operations: readonly ModelOperation[];
  readonly kept: ModelSaga['timeouts'];
}

function sentBy(script: MessageScript, seen: number, life: string, awaited: ModelSaga['timeouts']): Sent {
  const isCancelling = script.timeout === 'cancel';
  const sends = script.sends.map((send) => ({
    destination: destinationOfSend(send),
    type: send.type,
    body: bodyOfSend(send, seen, life),
    delayed: 'none',
  }));
  const requested = requestedTimeouts(script.timeout).map((delayed) => ({
    destination: endpointNames.orders,
    type: 'Elapsed',
    body: timeoutBody(script.saga, life),
    delayed,
  }));
  return {
    operations: [...(isCancelling ? awaited.flatMap(cancellation) : []), ...sends, ...requested],
    kept: isCancelling ? [] : awaited,
  };
}

/** A timeout that the queue itself keeps cannot be taken back: it finds nobody who waits for it. */
function cancellation({ id, scheduled }: ModelSaga['timeouts'][number]): ModelOperation[] {
  return scheduled ? [{ cancels: id }] : [];
}

function isNoTimeout(operation: ModelOperation): boolean {
  return 'cancels' in operation || operation.type !== 'Elapsed';
}

function timeoutsAfter({ operations, kept }: Sent, ids: readonly string[]): ModelSaga['timeouts'] {
  const requested = operations.flatMap((operation, index) =>
    isNoTimeout(operation)
      ? []
      : [
          {
            id: ids[index] ?? '',
            scheduled: 'delayed' in operation && operation.delayed === 'inSchedule',
          },
        ],
  );
  return [...kept, ...requested];
}

function refused(refusal: string, saga: ModelSaga | undefined): ModelStep {
  return { refusal, saga, operations: [] };
}
