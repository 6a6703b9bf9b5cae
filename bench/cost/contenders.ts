import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unpack } from '../../lib/core/outbox/packing.ts';
import { isRecordEncoding } from '../../lib/core/outbox/record-form.ts';
import { messageIdOfPartition } from '../../lib/core/storage/keys.ts';
import type { StartContender } from '../orders/contender.ts';
import { endpoint } from '../orders/order-messages.ts';
import { startSagabox } from '../orders/sagabox.ts';
import { startItemized } from '../peers/itemized.ts';
import { isOperation, isSaga, operationOf } from '../peers/itemized-items.ts';

export type Item = Record<string, AttributeValue>;
/** `sagaboxPlain`: records that hold each outgoing message whole. */
export type ContenderName = 'sagabox' | 'sagaboxPlain' | 'itemized';

/** A contender, and what its items hold. */
export interface Contender {
  readonly start: StartContender;
  isSaga(item: Item): boolean;
  /** The outgoing messages that an item holds: JSON, with headers and body, each whole. */
  operationsIn(item: Item): readonly string[];
}

const packedItems: Omit<Contender, 'start'> = {
  isSaga,
  operationsIn({ PK: partition, operations, encoding }) {
    if (operations?.B === undefined) return [];
    if (encoding?.S !== undefined && !isRecordEncoding(encoding.S)) {
      throw new Error(`Unknown encoding '${encoding.S}'`);
    }
    const messageId = messageIdOfPartition(endpoint, partition?.S ?? '') ?? '';
    return unpack(operations.B, encoding?.S, { endpoint, messageId }).map((operation) =>
      JSON.stringify(operation),
    );
  },
};

export const contenders: Readonly<Record<ContenderName, Contender>> = {
  sagabox: { start: startSagabox(), ...packedItems },
  sagaboxPlain: { start: startSagabox({ recordForm: 'plain' }), ...packedItems },
  itemized: {
    start: startItemized,
    isSaga,
    operationsIn: (item) => (isOperation(item) ? [operationOf(item)] : []),
  },
};

export const contenderNames = Object.keys(contenders) as ContenderName[];
