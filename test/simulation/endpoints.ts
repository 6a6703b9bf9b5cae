import type { StandardSchemaV1 } from '@standard-schema/spec';
import { defineHandlers } from '../../lib/handlers/define-handlers.ts';
import { UnrecoverableError } from '../../lib/kernel/errors/errors.ts';
import type { IncomingMessage } from '../../lib/messages/message.ts';
import { defineSaga } from '../../lib/saga/definition/define-saga.ts';
import type { SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';
import type { SagaHandlerContext } from '../../lib/saga/definition/saga-handler-context.ts';
import { outboxOfForm } from '../support/outbox-of-form.ts';
import {
  answerToNote,
  bodyOfSend,
  destinationOfSend,
  endpointNames,
  type MessageScript,
  requestedTimeouts,
  type SagaMessageType,
  sagaName,
  timeoutBody,
  timeouts,
} from './message-script.ts';

export interface OrderState {
  /** The message that started it. */
  life: string;
  /** The messages that changed it, in their order. */
  ledger: string[];
}

interface Note {
  readonly saga: string;
  readonly answered: boolean;
}

export interface HandlerSurroundings {
  /** A point at which the handler waits for something of its own. */
  pause(): Promise<void>;
  /** How many attempts at a message have come to its end before. */
  countAttempt(messageId: string): number;
  /** Asked when the handler begins; call the result when it is about to throw. */
  failing(messageId: string): (isUnrecoverable: boolean) => void;
  /** What its handler was given: what it makes of it rests on that. */
  saw(messageId: string, ledger: readonly string[] | undefined): void;
  isStrict(): boolean;
}

const anything: StandardSchemaV1<unknown, never> = {
  '~standard': { version: 1, vendor: 'simulation', validate: (value) => ({ value: value as never }) },
};

const sagaIdOf = (body: MessageScript) => body.saga;

/** Of another deployment it can be another one, which refuses what the first one took. */
function scriptSchema({ isStrict }: HandlerSurroundings): StandardSchemaV1<unknown, MessageScript> {
  const validate = (value: unknown) => {
    const script = value as MessageScript;
    return script.isOutdated && isStrict() ? { issues: [{ message: 'it is outdated' }] } : { value: script };
  };
  return { '~standard': { version: 1, vendor: 'simulation', validate } };
}

export function orderSaga(surroundings: HandlerSurroundings, form: SagaOutboxForm) {
  const script = scriptSchema(surroundings);
  const handle =
    (type: SagaMessageType) =>
    async (message: IncomingMessage<string, MessageScript>, context: SagaHandlerContext<OrderState>) => {
      const { saga, send, requestTimeout, cancelTimeout, transaction } = context;
      const { body, id } = message;
      surroundings.saw(id, saga.isNew ? undefined : [...saga.state.ledger]);
      if (type !== 'Look') {
        if (saga.isNew) saga.state.life = id;
        saga.state.ledger.push(id);
      }
      transaction.add({ Put: { TableName: 'ledger', Item: { PK: { S: `${endpointNames.orders} ${id}` } } } });
      if (body.timeout === 'cancel') cancelTimeout('Elapsed');
      // A handler that only looks commits without a check of the version: what it sends must not depend on
      // the state.
      const { length: seen } = type === 'Look' ? [] : saga.state.ledger;
      const life = type === 'Look' ? '' : saga.state.life;
      for (const sent of body.sends) send(destinationOfSend(sent), sent.type, bodyOfSend(sent, seen, life));
      for (const requested of requestedTimeouts(body.timeout)) {
        requestTimeout('Elapsed', timeoutBody(body.saga, life) as never, { after: timeouts[requested] });
      }
      if (type === 'Finish' || body.completes) saga.complete();
      await end(surroundings, message);
    };
  return defineSaga({
    name: sagaName,
    outbox: outboxOfForm(form),
    messages: { Start: script, Change: script, Finish: script, Look: script, Elapsed: script },
    correlate: {
      Start: sagaIdOf,
      Change: sagaIdOf,
      Finish: sagaIdOf,
      Look: sagaIdOf,
      Elapsed: sagaIdOf,
    },
    startedBy: ['Start'],
    initialState: (): OrderState => ({ life: '', ledger: [] }),
    handlers: {
      Start: handle('Start'),
      Change: handle('Change'),
      Finish: handle('Finish'),
      Look: handle('Look'),
      Elapsed: handle('Elapsed'),
    },
  });
}

/** An endpoint without a saga: its outbox alone keeps its effects from coming twice. */
export function auditHandlers() {
  return defineHandlers({
    messages: { Note: anything as unknown as StandardSchemaV1<unknown, Note> },
    handlers: {
      Note: ({ id, body }, { send, transaction }) => {
        transaction.add({
          Put: { TableName: 'ledger', Item: { PK: { S: `${endpointNames.audit} ${id}` } } },
        });
        if (body.answered) send(endpointNames.orders, 'Change', answerToNote(body.saga));
      },
    },
  });
}

async function end(
  surroundings: HandlerSurroundings,
  { id, body }: IncomingMessage<string, MessageScript>,
): Promise<void> {
  const { pauses, failures } = body;
  const failing = surroundings.failing(id);
  for (let pause = 0; pause < pauses; pause += 1) await surroundings.pause();
  if (failures === 'unrecoverable') {
    failing(true);
    throw new UnrecoverableError('no attempt can succeed');
  }
  if (failures === 'ignored') throw new Error('ignored');
  if (surroundings.countAttempt(id) >= failures) return;
  failing(false);
  throw new Error('the handler failed');
}
