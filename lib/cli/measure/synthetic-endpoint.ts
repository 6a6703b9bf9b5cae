import type { StandardSchemaV1 } from '@standard-schema/spec';
import { defineHandlers } from '../../core/handlers/define-handlers.ts';
import { defineSaga } from '../../core/saga/define-saga.ts';
import type { Definition } from '../../middleware/create-handler.ts';
import type { MeasuredShape } from './measured-shape.ts';

export const sagaName = 'Measured';
export const outgoingType = 'Sent';

/** What a message of a run brings along. */
export interface SyntheticBody {
  readonly sagaId: string;
  /** What the saga keeps. */
  readonly note: string;
  /** The bodies of the messages that its handler sends. */
  readonly bodies: readonly string[];
}

export interface SyntheticState {
  note: string;
  /** Changed from `a` to `b`: an update of the same size. */
  turn: 'a' | 'b';
}

const anything: StandardSchemaV1<SyntheticBody> = {
  '~standard': { version: 1, vendor: 'sagabox', validate: (value) => ({ value: value as SyntheticBody }) },
};

/** The destination of the message with this index, spread evenly. */
export function destinationName(index: number, destinations: number): string {
  return `q${String((index % destinations) + 1).padStart(String(destinations).length, '0')}`;
}

/** Handlers that do what the shape says: `Start` creates the saga, `Change` is for one that is there. */
export function syntheticDefinition({ sagaBytes, sagaChange, destinations }: MeasuredShape): Definition {
  const sendAll = (
    { bodies }: SyntheticBody,
    send: (destination: string, type: string, body: unknown) => void,
  ) => {
    for (const [index, body] of bodies.entries())
      send(destinationName(index, destinations), outgoingType, body);
  };
  if (sagaBytes === 0) {
    return defineHandlers({
      messages: { Change: anything },
      handlers: { Change: ({ body }, { send }) => sendAll(body, send) },
    });
  }
  return defineSaga({
    name: sagaName,
    messages: { Start: anything, Change: anything },
    correlate: { Start: ({ sagaId }) => sagaId, Change: ({ sagaId }) => sagaId },
    startedBy: ['Start'],
    initialState: (): SyntheticState => ({ note: '', turn: 'a' }),
    handlers: {
      Start({ body }, { saga, send }) {
        saga.state.note = body.note;
        sendAll(body, send);
      },
      Change({ body }, { saga, send }) {
        if (sagaChange === 'update') saga.state.turn = 'b';
        if (sagaChange === 'complete') saga.complete();
        sendAll(body, send);
      },
    },
  });
}
