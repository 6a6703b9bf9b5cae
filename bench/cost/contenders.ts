import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { embeddedItems, pendingIn, sagaWithRecords } from '../../lib/capacity/measured/embedded-items.ts';
import type { MeteredCall } from '../../lib/capacity/measured/recorded-call.ts';
import { messageIdOfPartition } from '../../lib/dynamodb/keys.ts';
import { unpack } from '../../lib/outbox/packing.ts';
import { isRecordEncoding } from '../../lib/outbox/record-encoding.ts';
import type { StartContender } from '../orders/contender.ts';
import { endpoint } from '../orders/order-messages.ts';
import { embeddedOrderSaga } from '../orders/order-saga.ts';
import { startSagabox } from '../orders/sagabox.ts';
import { startItemized } from '../peers/itemized.ts';
import { isOperation, isSaga, operationOf } from '../peers/itemized-items.ts';

export type Item = Record<string, AttributeValue>;
/**
 * `embedded`: sagas with compressed state and an embedded outbox, which have handled 10 messages before; `embedded30`:
 * 30.
 */
export type ContenderName = (typeof contenderNames)[number];
export const contenderNames = ['sagabox', 'embedded', 'embedded30', 'itemized'] as const;

/** A contender, and what its items hold. */
export interface Contender {
  readonly start: StartContender;
  readonly isEmbedded: boolean;
  /** Messages that each saga has handled before the one that is measured. */
  readonly handledBefore: number;
  /** What a call commits to items, as far as it tells. */
  committedItems(call: MeteredCall): readonly Item[];
  /** The saga that an item holds, if it is one, with its state as it is without compression. */
  sagasIn(item: Item): readonly Item[];
  /** The outgoing messages that an item holds: JSON, with headers and body, each whole. */
  operationsIn(item: Item): readonly string[];
}

const ofPuts = {
  isEmbedded: false,
  handledBefore: 1,
  committedItems: putItems,
  sagasIn: (item: Item) => (isSaga(item) ? [item] : []),
};

const packedItems: Omit<Contender, 'start'> = {
  ...ofPuts,
  operationsIn({ PK: partition, operations, encoding }) {
    if (operations?.B === undefined) return [];
    const messageId = messageIdOfPartition(endpoint, partition?.S ?? '') ?? '';
    if (!isRecordEncoding(encoding?.S)) throw new Error(`Unknown encoding '${encoding?.S}'`);
    return unpack(operations.B, encoding.S, { endpoint, messageId }).map((operation) =>
      JSON.stringify(operation),
    );
  },
};

/** Sagas are as large as with records, so that all contenders keep the same orders. */
const embeddedItemsOf = (handledBefore: number): Contender => ({
  start: startSagabox({}, embeddedOrderSaga),
  isEmbedded: true,
  handledBefore,
  committedItems: embeddedItems,
  sagasIn: (item) => (item.state ? [sagaWithRecords(item, item.state)] : []),
  operationsIn: (item) =>
    pendingIn(item).flatMap(({ messageId, packed }) =>
      unpack(packed, 's', { endpoint, messageId }).map((operation) => JSON.stringify(operation)),
    ),
});

export const contenders: Readonly<Record<ContenderName, Contender>> = {
  sagabox: { start: startSagabox(), ...packedItems },
  embedded: embeddedItemsOf(10),
  embedded30: embeddedItemsOf(30),
  itemized: {
    start: startItemized,
    ...ofPuts,
    operationsIn: (item) => (isOperation(item) ? [operationOf(item)] : []),
  },
};

/** The items that a transaction puts. */
function putItems({ operation, input }: MeteredCall): Item[] {
  if (operation !== 'TransactWriteItems') return [];
  const writes: readonly { Put?: { Item: Item } }[] = input.TransactItems;
  return writes.flatMap(({ Put }) => (Put ? [Put.Item] : []));
}
