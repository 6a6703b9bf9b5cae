import { toRecordItem } from '../../adapters/dynamodb/outbox/outbox-item.ts';
import { fingerprintOf } from '../../core/incoming/fingerprint.ts';
import type { IncomingMessage, OutgoingOperation } from '../../core/incoming/message.ts';
import { limits } from '../../core/limits.ts';
import { outboxWrite } from '../../core/outbox/commit.ts';
import { UnitOfWork } from '../../core/outgoing/unit-of-work.ts';
import { PendingTimeouts } from '../../core/saga/pending-timeouts.ts';
import { itemSize, utf8Bytes } from '../../core/storage/item-size.ts';
import { sagaItem } from '../../core/storage/saga-items.ts';
import { toStateAttributes } from '../../core/storage/state-attributes.ts';
import { tableDefaults } from '../../core/storage/table-defaults.ts';
import {
  destinationName,
  outgoingType,
  type SyntheticBody,
  type SyntheticState,
  sagaName,
} from './synthetic-endpoint.ts';

/** A message of a run, before it is delivered. */
export interface SyntheticMessage {
  readonly id: string;
  readonly type: 'Start' | 'Change';
  readonly body: SyntheticBody;
}

/** Whose handler sends. */
export interface Sender {
  readonly endpoint: string;
  readonly withSaga: boolean;
  readonly destinations: number;
}

/** Of fixed length where items have them. */
const someTime = new Date('2026-01-01T00:00:00.000Z');
const table = { tableName: 'any', ...tableDefaults };

/** Bytes of a saga's item whose state has this note. */
export function sagaItemBytes(sagaId: string, note: string): number {
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
  return itemSize(sagaItem(table, fields));
}

/** Bytes of the record of a message that sends nothing. */
export function emptyRecordBytes(endpoint: string, messageId: string): number {
  const fingerprint = fingerprintOf({ type: 'Start', body: {} });
  const write = outboxWrite({ endpoint, messageId, operations: [], storedAt: someTime, fingerprint });
  const outbox = { table, endpoint, deduplicationPeriodSeconds: 1 };
  return itemSize(toRecordItem(outbox, write, someTime));
}

export function operationBytes(operation: OutgoingOperation): number {
  return utf8Bytes(JSON.stringify(operation));
}

/**
 * What the handler of a message sends, as it is kept.
 *
 * @throws SagaboxError `InvalidOutgoingMessage` for what no queue takes
 */
export function operationsOf(
  { id, type, body }: SyntheticMessage,
  { endpoint, withSaga, destinations }: Sender,
): readonly OutgoingOperation[] {
  // Outgoing messages carry only its id and its headers.
  const message = { id, type, body, headers: {} } as unknown as IncomingMessage;
  const names = Array.from({ length: destinations }, (_, index) => destinationName(index, destinations));
  const maxMessageSizeBytes = limits.messageBytes;
  const queue = (name: string) =>
    ({ kind: 'queue', name, queueUrl: 'any', fifo: false, maxMessageSizeBytes }) as const;
  const work = new UnitOfWork({
    message,
    endpoint,
    saga: withSaga
      ? {
          identity: { name: sagaName, id: body.sagaId },
          nextVersion: 1,
          timeouts: new PendingTimeouts(),
          messageTypes: [],
        }
      : undefined,
    sending: {
      destinations: new Map(names.map((name) => [name, queue(name)])),
      publishTo: {},
      schedules: false,
      claimCheckThresholdBytes: undefined,
      claimCheckRetentionSeconds: undefined,
      format: 'plain',
    },
    dispatchNow: async () => {},
    now: someTime,
  });
  for (const [index, one] of body.bodies.entries()) {
    work.context.send(destinationName(index, destinations), outgoingType, one);
  }
  return work.operations;
}
