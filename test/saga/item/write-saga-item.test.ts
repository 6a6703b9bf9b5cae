import { describe, expect, it } from '@jest/globals';
import { leaseAttribute } from '../../../lib/dynamodb/item-attributes.ts';
import { itemSize } from '../../../lib/dynamodb/item-size.ts';
import { tableDefaults } from '../../../lib/dynamodb/table-defaults.ts';
import { compressState } from '../../../lib/saga/item/compressed-state.ts';
import { compressedSagaItem, sagaItem } from '../../../lib/saga/item/write-saga-item.ts';
import { at, orderSaga } from '../../support/commits.ts';
import { randomText } from '../../support/random-text.ts';

const owner = 'owner-1';
const leaseBytes = itemSize({ lease: leaseAttribute({ owner, until: at }) });

function fieldsOf(note: string) {
  const common = { version: 1, commitId: 'commit-1', createdAt: at, updatedAt: at, timeouts: [] };
  return { saga: orderSaga, state: { note: { S: note } }, ...common };
}

/** The fields of a saga whose item has so many bytes as it is; some of the note does not compress. */
function fieldsOfSize(bytes: number, randomBytes: number) {
  const noteBytes = bytes - itemSize(sagaItem(tableDefaults, fieldsOf('')));
  return fieldsOf(randomText(randomBytes) + 'x'.repeat(noteBytes - randomBytes));
}

const formOf = (fields: ReturnType<typeof fieldsOf>, leaseOwner?: string) =>
  compressedSagaItem(tableDefaults, fields, leaseOwner).state?.B === undefined ? 'plain' : 'compressed';

describe('the item of a saga is stored compressed', () => {
  it('when that saves a write unit, and plain when it does not', () => {
    expect(formOf(fieldsOfSize(1024, 0))).toBe('plain');
    expect(formOf(fieldsOfSize(1025, 0))).toBe('compressed');
    expect(formOf(fieldsOfSize(2048, 0))).toBe('compressed');
    expect(formOf(fieldsOfSize(10_000, 9_700))).toBe('compressed');
    expect(formOf(fieldsOfSize(1_300, 1_080))).toBe('plain');
  });

  it('by the sizes of whole items, the mark of their form included', () => {
    const sizes = Array.from({ length: 60 }, (_, more) => {
      const fields = fieldsOfSize(2_000, 900 + 4 * more);
      const { state: _state, ...rest } = sagaItem(tableDefaults, fields);
      const state = { B: compressState(fields.state) ?? new Uint8Array() };
      const bytes = itemSize({ ...rest, state, encoding: { S: 'br' } });
      return { bytes, form: formOf(fields) };
    });
    for (const { bytes, form } of sizes) expect(form).toBe(bytes <= 1024 ? 'compressed' : 'plain');
    expect(new Set(sizes.map(({ form }) => form)).size).toBe(2);
  });

  it('counting the lease under lock, which every write of it is charged with', () => {
    expect(formOf(fieldsOfSize(1024 - leaseBytes, 0), owner)).toBe('plain');
    expect(formOf(fieldsOfSize(1025 - leaseBytes, 0), owner)).toBe('compressed');
    expect(formOf(fieldsOfSize(1025 - leaseBytes, 0))).toBe('plain');
  });

  it('with all else as it is', () => {
    const fields = fieldsOfSize(5_000, 0);
    const { state, encoding, ...rest } = compressedSagaItem(tableDefaults, fields, undefined);
    const { state: plainState, ...plainRest } = sagaItem(tableDefaults, fields);
    expect({ plainState, encoding }).toEqual({ plainState: { M: fields.state }, encoding: { S: 'br' } });
    expect(state).toEqual({ B: compressState(fields.state) });
    expect(rest).toEqual(plainRest);
  });
});
