import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { decompress } from '../../dynamodb/compression.ts';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import { readPendingAttribute } from '../../outbox/embedded/embedded-items.ts';
import { MAX_PACKED_BYTES } from '../../outbox/packing.ts';
import { isCompressed } from '../../outbox/record-encoding.ts';
import { decompressState } from '../../saga/item/compressed-state.ts';
import { sagaItem } from '../../saga/item/write-saga-item.ts';
import { keyPrefixes } from './key-prefixes.ts';
import type { Item, RecordedCall } from './recorded-call.ts';
import { type PathValue, requestedStatements } from './requested-statements.ts';

/** What a call commits to items of sagas with embedded outboxes: their keys, and the attributes that it sets. */
export function embeddedItems(call: RecordedCall): Item[] {
  const written = [...requestedUpdate(call), ...requestedStatements(call)];
  return written
    .map(({ key, sets }) => ({ ...key, ...itemOf(sets) }))
    .filter(({ inbox }) => inbox !== undefined);
}

function requestedUpdate({ operation, input }: RecordedCall): { key: Item; sets: PathValue[] }[] {
  if (operation === 'TransactWriteItems') {
    const writes: readonly { Update?: object }[] = input.TransactItems ?? [];
    return writes.flatMap(({ Update: update }) =>
      update ? requestedUpdate({ operation: 'UpdateItem', input: update }) : [],
    );
  }
  if (operation !== 'UpdateItem') return [];
  const { UpdateExpression: expression = '', ExpressionAttributeNames: names = {} } = input;
  const pairs: RegExpMatchArray[] = [...expression.matchAll(/((?<!\.)#\w+(?:\.#\w+)*) = (:\w+)/g)];
  const sets = pairs.map(([, path = '', value = '']) => ({
    path: path.split('.').map((part) => names[part]),
    value: input.ExpressionAttributeValues[value],
  }));
  return [{ key: input.Key, sets }];
}

function itemOf(sets: readonly PathValue[]): Item {
  const attributes = sets.filter(({ path }) => path.length === 1);
  const pending = sets.filter(({ path: [attribute], path }) => attribute === 'pending' && path.length === 2);
  return {
    ...Object.fromEntries(attributes.map(({ path: [name = ''], value }) => [name, value])),
    ...(pending.length > 0 && {
      pending: { M: Object.fromEntries(pending.map(({ path: [, key = ''], value }) => [key, value])) },
    }),
  };
}

/** The packed operations of each message that an item has to send, uncompressed. */
export function pendingIn({ pending }: Item): { readonly messageId: string; readonly packed: Uint8Array }[] {
  return Object.values(pending?.M ?? {}).map((entry) => {
    const { messageId, packed, encoding } = readPendingAttribute(entry);
    return { messageId, packed: isCompressed(encoding) ? decompress(packed, MAX_PACKED_BYTES) : packed };
  });
}

const someTime = new Date('2026-01-01T00:00:00.000Z');
const ofAnyCommit = {
  version: 1,
  commitId: '0'.repeat(36),
  createdAt: someTime,
  updatedAt: someTime,
  timeouts: [],
};

/**
 * The item that a saga would have if it had outbox records, uncompressed: the size that a plan is given.
 *
 * @param state of an item with an embedded outbox, as it is stored
 */
export function sagaWithRecords(item: Item, state: AttributeValue): Item {
  const strings = Object.values(item).flatMap(({ S: string }) => string ?? []);
  const partition = strings.find((string) => string.startsWith(keyPrefixes.sagaPartition)) ?? '';
  const [, name = '', ...id] = partition.split('#');
  const attributes = state.M ?? decompressState(state.B ?? new Uint8Array());
  return sagaItem(tableDefaults, { saga: { name, id: id.join('#') }, state: attributes, ...ofAnyCommit });
}
