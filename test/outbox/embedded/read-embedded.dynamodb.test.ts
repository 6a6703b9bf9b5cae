import { describe, expect, it } from '@jest/globals';
import { EMBEDDED_SCHEMA, type Item } from '../../../lib/dynamodb/item-attributes.ts';
import { tableDefaults } from '../../../lib/dynamodb/table-defaults.ts';
import { isSagaboxError } from '../../../lib/kernel/errors/errors.ts';
import { readEmbedded } from '../../../lib/outbox/embedded/read-embedded.dynamodb.ts';
import { SALT_BYTES } from '../../../lib/outbox/embedded/salted-hash.ts';
import { defaultMapper } from '../../../lib/saga/item/mapper.dynamodb.ts';
import { loadedSaga, type ReadEmbedded } from '../../../lib/saga/item/read-saga-item.dynamodb.ts';
import { orderSaga } from '../../support/commits.ts';
import { emptyInbox } from '../../support/inboxes.ts';

const table = { ...tableDefaults, tableName: 'sagas' };
const inbox = { B: emptyInbox.bytes };

function load(changes: Item, reader?: ReadEmbedded) {
  const item: Item = {
    schemaVersion: { N: String(EMBEDDED_SCHEMA) },
    endpoint: { S: 'orders' },
    version: { N: '3' },
    commitId: { B: new Uint8Array(8) },
    createdAt: { N: '1767225600' },
    updatedAt: { N: '1767225600' },
    state: { M: {} },
    inbox,
    pending: { M: {} },
    ...changes,
  };
  return loadedSaga(item, orderSaga, { table, mapper: defaultMapper, readEmbedded: reader }).item;
}

function codeOfLoad(changes: Item): string | undefined {
  try {
    load(changes, readEmbedded);
    return undefined;
  } catch (error) {
    return isSagaboxError(error) ? error.code : String(error);
  }
}

const damaged: [string, Item][] = [
  ['inbox', { inbox: { B: new Uint8Array(SALT_BYTES + 1) } }],
  ['entry of what is pending', { pending: { M: { key: { M: {} } } } }],
];

describe('an item with an embedded outbox', () => {
  it('is read with its inbox, for a saga that keeps it', () => {
    expect(load({}, readEmbedded)).toMatchObject({
      endpoint: 'orders',
      inbox: { size: 0 },
      isOverflowed: false,
    });
  });

  it.each(damaged)('that has a damaged %s is unreadable for that', (_part, changes) => {
    expect(codeOfLoad(changes)).toBe('UnreadableItem');
  });

  it.each(damaged)(
    'that has a damaged %s tells a saga of records its form, and what is pending',
    (_part, changes) => {
      const item = load(changes);
      expect(item).toMatchObject({ schema: 'embedded', pending: { size: changes.pending ? 1 : 0 } });
      expect(item).not.toHaveProperty('inbox');
    },
  );
});
