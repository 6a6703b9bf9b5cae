import { createHash, randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import type { OrderState } from '../orders/order-data.ts';
import { endpoint, sagaName, shipParcel } from '../orders/order-messages.ts';

export type Item = Record<string, AttributeValue>;

/** An outgoing message as it is kept. */
export interface Operation {
  readonly id: string;
  readonly type: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const metadataSortKey = 'METADATA';
const operationSortKeyPrefix = 'OPERATION#';

export function sagaKey(sagaId: string): Item {
  return { PK: { S: `SAGA#${sagaName}#${sagaId}` }, SK: { S: 'SAGA' } };
}

export function outboxPartition(messageId: string): string {
  return `OUTBOX#${endpoint}#${messageId}`;
}

export function metadataKey(partition: string): Item {
  return { PK: { S: partition }, SK: { S: metadataSortKey } };
}

export function operationKey(partition: string, ordinal: number): Item {
  return { PK: { S: partition }, SK: { S: `${operationSortKeyPrefix}${String(ordinal).padStart(4, '0')}` } };
}

/** The item of a saga: its data, and about 100 bytes around it. */
export function toSagaItem(key: Item, state: object, version: number, at: Date): Item {
  return {
    ...key,
    state: { M: defaultMapper.toAttributes(state) },
    version: { N: String(version) },
    commitId: { S: randomUUID() },
    updatedAt: { S: at.toISOString() },
  };
}

export function stateOf(item: Item): OrderState {
  return defaultMapper.fromAttributes(item.state?.M ?? {}) as unknown as OrderState;
}

/** About 250 bytes, of the 200 to 400 that the published guide on capacity states. */
export function toMetadataItem(partition: string, messageId: string, operations: number, at: Date): Item {
  return {
    ...metadataKey(partition),
    messageId: { S: messageId },
    dispatched: { BOOL: false },
    operationCount: { N: String(operations) },
    storedAt: { S: at.toISOString() },
    commitId: { S: randomUUID() },
    schemaVersion: { S: '1.0.0' },
  };
}

export function toOperationItem(partition: string, operation: Operation, ordinal: number): Item {
  return { ...operationKey(partition, ordinal), operation: { S: JSON.stringify(operation) } };
}

export function toOperation(body: unknown, incomingId: string, ordinal: number, at: Date): Operation {
  const digest = createHash('sha256')
    .update(JSON.stringify([incomingId, endpoint, ordinal]))
    .digest('hex');
  const id = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return {
    id,
    type: shipParcel,
    body,
    headers: {
      ConversationId: incomingId,
      RelatedTo: incomingId,
      OriginatingEndpoint: endpoint,
      ReplyToAddress: endpoint,
      TimeSent: at.toISOString(),
    },
  };
}

export function isSaga(item: Item): boolean {
  return item.SK?.S === 'SAGA';
}

export function isMetadata(item: Item): boolean {
  return item.SK?.S === metadataSortKey;
}

export function isOperation(item: Item): boolean {
  return item.SK?.S?.startsWith(operationSortKeyPrefix) === true;
}

/** The JSON of the outgoing message in an operation's item. */
export function operationOf(item: Item): string {
  return item.operation?.S ?? '';
}
