import type { StandardSchemaV1 } from '@standard-schema/spec';
import { usual, usualDestination } from '../../capacity/records/operations-bytes.ts';
import type { WholeShape } from '../../capacity/shape-defaults.ts';
import { embeddedOutbox } from '../../compose/embedded-outbox/embedded-outbox.ts';
import type { Definition } from '../../compose/handler/route-messages.ts';
import { defineHandlers } from '../../handlers/define-handlers.ts';
import { limits } from '../../kernel/limits.ts';
import type { DestinationAddress } from '../../messages/destinations/destination.ts';
import { defineSaga } from '../../saga/definition/define-saga.ts';
import type { AppendingSaga, Saga } from '../../saga/saga-state.ts';

export const { sagaName } = usual;

/** A message of a run, before it is delivered. */
export interface SyntheticMessage {
  readonly id: string;
  /** `Start` creates the saga, `Change` is for one that is there, and `Append` for what `Change` collects. */
  readonly type: 'Start' | 'Change' | 'Append';
  readonly body: SyntheticBody;
}

export interface SyntheticBody {
  readonly sagaId: string;
  /** What the saga keeps. */
  readonly note: string;
  /** The bodies of the messages that its handler sends. */
  readonly bodies: readonly string[];
  /** What its handler appends to the saga. @default - nothing */
  readonly values?: readonly string[];
}

/** Of what is appended. */
export const contributionKeyName = 'measured';

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
export function sendAll({ bodies }: SyntheticBody, destinations: number, send: Send): void {
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
  const common = {
    name: sagaName,
    startedBy: ['Start'] as const,
    initialState: (): SyntheticState => ({ note: '', turn: 'a' }),
    state: { compress: sagaCompressionRatio < 1 },
  };
  const outbox = layout === 'embedded' ? embeddedOutbox() : undefined;
  const Start = ({ body }: ToHandle, { saga, send }: Handling) => {
    // One that has handled messages has been updated by them: its item is written, and compressed, as it grows.
    Object.assign(saga.state, { note: body.note, turn: otherTurn(saga.state) });
    sendAll(body, destinations, send);
  };
  const change = ({ body }: ToHandle, { saga, send }: Handling) => {
    if (sagaChange === 'update') saga.state.turn = otherTurn(saga.state);
    if (sagaChange === 'complete') saga.complete();
    sendAll(body, destinations, send);
  };
  const append = ({ body }: ToHandle, { saga, send }: Appending) => {
    for (const value of body.values ?? []) saga.append(contributionKeyName, value);
    sendAll(body, destinations, send);
  };
  const messages = { Start: anything, Change: anything };
  const correlate = { Start: idOf, Change: idOf };
  if (shape.appended > 0)
    return defineSaga({
      ...{ ...common, messages, correlate },
      appendedBy: ['Change'],
      handlers: { Start, Change: append },
    });
  if (shape.collected === 0)
    return defineSaga({ ...common, messages, correlate, outbox, handlers: { Start, Change: change } });
  return defineSaga({
    ...common,
    messages: { ...messages, Append: anything },
    correlate: { ...correlate, Append: idOf },
    appendedBy: ['Append'],
    collectedBy: ['Change'],
    handlers: {
      Start,
      Append: append,
      async Change(message, context) {
        await context.saga.collect(contributionKeyName);
        change(message, context);
      },
    },
  });
}

type Send = (destination: string, type: string, body: unknown) => void;
interface ToHandle {
  readonly body: SyntheticBody;
}
interface Handling {
  readonly saga: Saga<SyntheticState>;
  readonly send: Send;
}
interface Appending {
  readonly saga: AppendingSaga<SyntheticState>;
  readonly send: Send;
}

function idOf({ sagaId }: SyntheticBody): string {
  return sagaId;
}
