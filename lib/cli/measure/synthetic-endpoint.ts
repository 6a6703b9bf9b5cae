import type { StandardSchemaV1 } from '@standard-schema/spec';
import { usual, usualDestination } from '../../capacity/packed/slim-bytes.ts';
import type { WholeShape } from '../../capacity/shape-defaults.ts';
import { defineHandlers } from '../../core/handlers/define-handlers.ts';
import { limits } from '../../core/limits.ts';
import type { DestinationAddress } from '../../core/outgoing/destination.ts';
import { defineSaga } from '../../core/saga/define-saga.ts';
import type { Definition } from '../../middleware/route-messages.ts';

export const { sagaName } = usual;

/** A message of a run, before it is delivered. */
export interface SyntheticMessage {
  readonly id: string;
  /** `Start` creates the saga, `Change` is for one that is there. */
  readonly type: 'Start' | 'Change';
  readonly body: SyntheticBody;
}

export interface SyntheticBody {
  readonly sagaId: string;
  /** What the saga keeps. */
  readonly note: string;
  /** The bodies of the messages that its handler sends. */
  readonly bodies: readonly string[];
}

export interface SyntheticState {
  note: string;
  /** Each message that updates the saga changes it to the other one: an update of the same size. */
  turn: 'a' | 'b';
}

const anything: StandardSchemaV1<SyntheticBody> = {
  '~standard': { version: 1, vendor: 'sagabox', validate: (value) => ({ value: value as SyntheticBody }) },
};

/** By names of one length. An account's own queue that takes smaller messages refuses them by itself. */
export function destinationsOf(addresses: readonly string[]): Record<string, DestinationAddress> {
  const maxMessageSizeBytes = limits.messageBytes;
  return Object.fromEntries(
    addresses.map((address, index) => [
      usualDestination(index, addresses.length),
      { address, maxMessageSizeBytes },
    ]),
  );
}

/** Spreads the messages evenly. */
export function sendAll(
  { bodies }: SyntheticBody,
  destinations: number,
  send: (destination: string, type: string, body: unknown) => void,
): void {
  for (const [index, body] of bodies.entries())
    send(usualDestination(index, destinations), usual.messageType, body);
}

function otherTurn({ turn }: SyntheticState): SyntheticState['turn'] {
  return turn === 'a' ? 'b' : 'a';
}

/** Handlers that do what the shape says. */
export function syntheticDefinition(shape: WholeShape): Definition {
  const { sagaBytes, sagaCompressionRatio, sagaChange, destinations, layout } = shape;
  if (sagaBytes === 0) {
    return defineHandlers({
      messages: { Change: anything },
      handlers: { Change: ({ body }, { send }) => sendAll(body, destinations, send) },
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
        // One that has handled messages has been updated by them: its item is written, and compressed, as it grows.
        Object.assign(saga.state, { note: body.note, turn: otherTurn(saga.state) });
        sendAll(body, destinations, send);
      },
      Change({ body }, { saga, send }) {
        if (sagaChange === 'update') saga.state.turn = otherTurn(saga.state);
        if (sagaChange === 'complete') saga.complete();
        sendAll(body, destinations, send);
      },
    },
    state: { compress: sagaCompressionRatio < 1 },
    outbox: layout === 'embedded' ? 'embedded' : 'records',
  });
}
