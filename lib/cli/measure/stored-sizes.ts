import { embeddedItems, sagaWithRecords } from '../../capacity/measured/embedded-items.ts';
import type { MeteredCall } from '../../capacity/measured/recorded-call.ts';
import { committedItems } from '../../capacity/measured/stored-ratio.ts';
import { writesSaga } from '../../capacity/records/saga-item-bytes.ts';
import type { WholeShape } from '../../capacity/shape-defaults.ts';
import { sendingOf } from '../../compose/sending-settings.ts';
import type { Item } from '../../dynamodb/item-attributes.ts';
import { itemSize } from '../../dynamodb/item-size.ts';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import type { IncomingMessage, OutgoingOperation } from '../../messages/message.ts';
import { compressState } from '../../saga/item/compressed-state.ts';
import { contributionItem } from '../../saga/item/contribution-items.ts';
import { toStateAttributes } from '../../saga/item/state-attributes.ts';
import { sagaItem, withCompressedState } from '../../saga/item/write-saga-item.ts';
import { PendingTimeouts } from '../../sending/pending-timeouts.ts';
import { withSagaVersion } from '../../sending/saga-version.ts';
import { UnitOfWork } from '../../sending/unit-of-work.ts';
import {
  contributionKeyName,
  destinationsOf,
  type SyntheticMessage,
  type SyntheticState,
  sagaName,
  sendAll,
} from './synthetic-endpoint.ts';

/** Of fixed length where items have them. */
const someTime = new Date('2026-01-01T00:00:00.000Z');
/** DynamoDB keeps no zeros at the end of a number. */
const someEpochSecond = 1_767_225_599;
const someQueue = 'https://sqs.us-east-1.amazonaws.com/111122223333/any';

/** Bytes of a saga's item whose state has this note. */
export function sagaItemBytes(sagaId: string, note: string): number {
  return itemSize(sagaItemWith(sagaId, note));
}

/** Bytes of a saga's item with this note in its state: compressed, for each byte without. */
export function sagaRatioOf(sagaId: string, note: string): number {
  const item = sagaItemWith(sagaId, note);
  return compressedBytes(item) / itemSize(item);
}

function sagaItemWith(sagaId: string, note: string): Item {
  const state: SyntheticState = { note, turn: 'a' };
  const fields = {
    saga: { name: sagaName, id: sagaId },
    state: toStateAttributes(state),
    version: 1,
    commitId: '0'.repeat(36),
    createdAt: someTime,
    updatedAt: someTime,
    timeouts: [],
  };
  return sagaItem(tableDefaults, fields);
}

/** Also of an item that is stored as it is, as that saves no unit. */
function compressedBytes(item: Item): number {
  const { state } = item;
  const compressed = state?.M === undefined ? undefined : compressState(state.M);
  return itemSize(compressed === undefined ? item : withCompressedState(item, compressed));
}

/** {@link sagaRatioOf} the sagas that commits stored, the largest one; `undefined` if they stored none. */
export function storedSagaRatio(calls: readonly MeteredCall[], sagaBytes: number): number | undefined {
  const embedded = calls.flatMap(embeddedItems).flatMap((item) => {
    return item.state === undefined ? [] : [sagaWithRecords(item, item.state)];
  });
  const records = calls.flatMap(committedItems).filter(({ state }) => state !== undefined);
  const sagas = [...records, ...embedded];
  return sagas.length === 0 ? undefined : Math.max(...sagas.map(compressedBytes)) / sagaBytes;
}

/** Bytes of the item of an empty string that a message appends. */
export function emptyContributionBytes(endpoint: string, sagaId: string, messageId: string): number {
  const identity = { saga: { name: sagaName, id: sagaId }, createdAt: someTime, key: contributionKeyName };
  const expiresAt = new Date(someEpochSecond * 1000);
  const contribution = { ...identity, endpoint, messageId, ordinal: 0, value: { S: '' }, expiresAt };
  return itemSize(contributionItem(tableDefaults, contribution));
}

/**
 * What the handler of a message sends, as it is kept.
 *
 * @throws SagaboxError `InvalidOutgoingMessage` for what no queue takes
 */
export function operationsOf(
  { id, type, body }: SyntheticMessage,
  shape: WholeShape,
  endpoint: string,
): readonly OutgoingOperation[] {
  const { sagaBytes, destinations } = shape;
  const identity = { name: sagaName, id: body.sagaId };
  const work = new UnitOfWork({
    // Outgoing messages carry only its id and its headers.
    message: { id, type, body, headers: {} } as unknown as IncomingMessage,
    endpoint,
    saga: sagaBytes > 0 ? { identity, timeouts: new PendingTimeouts(), messageTypes: [] } : undefined,
    sending: sendingOf({ destinations: destinationsOf(Array(destinations).fill(someQueue)) }, {}),
    dispatchNow: async () => {},
    now: someTime,
  });
  sendAll(body, destinations, work.context.send);
  return withSagaVersion(work.operations, writesSaga(shape) ? 1 : undefined);
}
