import { describe, expect, it } from '@jest/globals';
import { splitCapacity } from '../../../lib/dynamodb/calls/consumed-capacity.ts';

/** What each part pays, of parts by table and units. */
function paid(reported: Parameters<typeof splitCapacity>[0], parts: [tableName: string, units: number][]) {
  const payments = parts.map(() => [] as number[]);
  const consumers = parts.map(([tableName, units], index) => ({
    tableName,
    units,
    pay: (share: number) => void payments[index]?.push(share),
  }));
  splitCapacity(reported, consumers);
  return payments;
}

describe('what a call consumed', () => {
  it('is paid by the parts of its table, in proportion', () => {
    const reported = [
      { TableName: 'sagas', CapacityUnits: 8 },
      { TableName: 'outbox', CapacityUnits: 1 },
    ];
    expect(
      paid(reported, [
        ['sagas', 1],
        ['outbox', 5],
        ['sagas', 3],
      ]),
    ).toEqual([[2], [1], [6]]);
  });

  it('is paid by all where the table is not one of theirs', () => {
    expect(
      paid(
        [{ TableName: 'an ARN', CapacityUnits: 4 }],
        [
          ['sagas', 1],
          ['outbox', 1],
        ],
      ),
    ).toEqual([[2], [2]]);
  });

  it('is paid exactly, whatever the shares are rounded to', () => {
    const payments = paid(
      [{ TableName: 'sagas', CapacityUnits: 1 }],
      [
        ['sagas', 1],
        ['sagas', 1],
        ['sagas', 1],
      ],
    );
    expect(payments.flat().reduce((rest, share) => rest - share, 1)).toBe(0);
  });

  it('is paid by the last one where nobody was expected to take anything', () => {
    expect(paid([{ TableName: 'sagas', CapacityUnits: 2 }], [['sagas', 0]])).toEqual([[2]]);
  });

  it('is nothing where nothing is reported', () => {
    expect(paid(undefined, [['sagas', 1]])).toEqual([[]]);
  });
});
