import { describe, expect, it } from '@jest/globals';
import type { MessageShape, PlannedStep } from '../../lib/capacity/message-shape.ts';
import { type DeliverySteps, deliveryOf, sum, sumOfUnits } from '../../lib/capacity/steps.ts';
import { readUnits, writeUnits } from '../../lib/dynamodb/capacity-units.ts';
import { limits } from '../../lib/kernel/limits.ts';
import { cells } from '../../test/support/samples.ts';
import { publishedSteps } from './published-formulas.ts';

/** The sizes that the page's formulas speak of. */
interface Sizes {
  readonly saga: number;
  readonly metadata: number;
  readonly operation: number;
  readonly n: number;
}

/** A row of a table of the page, as it stands there, and as a formula. */
interface Row {
  readonly step: PlannedStep['step'];
  readonly call: string;
  readonly capacity: string;
  readonly shape?: MessageShape;
  /** @default 'newMessage' */
  readonly of?: keyof DeliverySteps;
  readonly units: (sizes: Sizes) => { rcu?: number; wcu?: number };
}

/** Rounded up: the brackets of the page. */
const perFourKB = (bytes: number) => Math.ceil(bytes / 4096);
const perKB = (bytes: number) => Math.ceil(bytes / 1024);

const pessimistic = { locking: 'pessimistic' } as const;
const sagaOnly = { outbox: false, outgoing: 0 } as const;
const outboxOnly = { sagaBytes: 0 } as const;

const loadSaga: Row = {
  step: 'load',
  call: 'GetItem',
  capacity: '⌈saga size / 4 KB⌉ RCUs',
  units: ({ saga }) => ({ rcu: perFourKB(saga) }),
};
const lockSaga: Row = {
  step: 'lock',
  call: 'UpdateItem',
  capacity: '⌈saga size / 1 KB⌉ WCUs',
  shape: pessimistic,
  units: ({ saga }) => ({ wcu: perKB(saga) }),
};
const writeSaga: Row = {
  step: 'commit',
  call: 'TransactWriteItems',
  capacity: '⌈saga size / 1 KB⌉ × 2 WCUs',
  units: ({ saga }) => ({ wcu: perKB(saga) * 2 }),
};
const check: Row = {
  step: 'dedup check',
  call: 'Query',
  capacity: '⌈metadata / 4 KB⌉ RCUs',
  units: ({ metadata }) => ({ rcu: perFourKB(metadata) }),
};
const mark: Row = { step: 'mark', call: 'UpdateItem', capacity: '1 WCU', units: () => ({ wcu: 1 }) };
const clear: Row = {
  step: 'clear',
  call: 'BatchWriteItem',
  capacity: 'N WCUs (minimum)',
  units: ({ n, operation }) => ({ wcu: n * perKB(operation) }),
};

/** "DynamoDB persistence: Capacity planning", table by table. */
const page: Readonly<Record<string, readonly Row[]>> = {
  'Sagas, optimistic concurrency: summary per message (saga only, no outbox)': [
    { ...loadSaga, shape: sagaOnly },
    {
      ...loadSaga,
      capacity: 'Eventually consistent: ⌈saga item size / 4 KB⌉ × 0.5 RCUs',
      shape: { ...sagaOnly, locking: 'eventual' },
      units: ({ saga }) => ({ rcu: perFourKB(saga) * 0.5 }),
    },
    { ...writeSaga, shape: sagaOnly },
    { ...writeSaga, shape: { ...sagaOnly, sagaChange: 'complete' } },
  ],
  'Sagas: summary per message (pessimistic locking, no outbox)': [
    { ...lockSaga, shape: { ...sagaOnly, ...pessimistic } },
    {
      ...lockSaga,
      capacity: 'Each failed attempt still consumes WCUs',
      shape: { ...sagaOnly, ...pessimistic, lockAttempts: 3 },
      units: ({ saga }) => ({ wcu: 3 * perKB(saga) }),
    },
    { ...writeSaga, shape: { ...sagaOnly, ...pessimistic } },
    { ...writeSaga, shape: { ...sagaOnly, ...pessimistic, sagaChange: 'complete' } },
    {
      ...lockSaga,
      step: 'release',
      capacity: 'Existing saga (handler threw an exception): ⌈saga item size / 1 KB⌉ WCUs',
      shape: { ...sagaOnly, ...pessimistic },
      of: 'failedHandler',
    },
    {
      ...lockSaga,
      step: 'release',
      capacity: 'Existing saga (read-only path): ⌈saga item size / 1 KB⌉ WCUs',
      shape: { ...sagaOnly, ...pessimistic, sagaChange: 'none' },
    },
    {
      step: 'release',
      call: 'DeleteItem',
      capacity: 'New saga (lock-only record): 1 WCU',
      shape: { ...sagaOnly, ...pessimistic, sagaChange: 'create' },
      of: 'failedHandler',
      units: () => ({ wcu: 1 }),
    },
  ],
  'Outbox, step 1: deduplication check': [
    { ...check, capacity: 'New message (not yet seen): ⌈metadata item size / 4 KB⌉', shape: outboxOnly },
    {
      ...check,
      capacity: 'Duplicate message (already dispatched): ⌈metadata item size / 4 KB⌉',
      of: 'duplicate',
    },
    {
      ...check,
      capacity: 'Duplicate message (not yet dispatched): ⌈(metadata + N operations) / 4 KB⌉',
      of: 'redispatch',
      units: ({ metadata, operation, n }) => ({ rcu: perFourKB(metadata + n * operation) }),
    },
  ],
  'Outbox: summary per incoming message (outbox only, N outgoing messages)': [
    { ...check, shape: outboxOnly },
    {
      step: 'commit',
      call: 'TransactWriteItems',
      capacity: '(⌈metadata / 1 KB⌉ + Σ⌈operation / 1 KB⌉) × 2 WCUs',
      shape: outboxOnly,
      units: ({ metadata, operation, n }) => ({ wcu: (perKB(metadata) + n * perKB(operation)) * 2 }),
    },
    { ...mark, shape: outboxOnly },
    { ...clear, shape: outboxOnly },
  ],
  'Saga and outbox combined': [
    check,
    loadSaga,
    {
      step: 'commit',
      call: 'TransactWriteItems',
      capacity: '(⌈saga / 1 KB⌉ + ⌈metadata / 1 KB⌉ + Σ⌈operation / 1 KB⌉) × 2 WCUs',
      units: ({ saga, metadata, operation, n }) => ({
        wcu: (perKB(saga) + perKB(metadata) + n * perKB(operation)) * 2,
      }),
    },
    mark,
    clear,
    { ...lockSaga, capacity: 'When pessimistic locking is enabled, add 1 standard UpdateItem' },
  ],
};

/** Both sides of each unit, and the fewest and most messages. */
const isPicked = ({ saga, metadata, operation, n }: Sizes) =>
  saga % 1024 < 2 && saga < 5_000 && metadata === 300 && operation % 1024 < 2 && [0, 3, 98].includes(n);

const allSizes: readonly Sizes[] = [1, 1_000, 1_024, 1_025, 4_096, 4_097, 61_440].flatMap((saga) =>
  [200, 300, 400].flatMap((metadata) =>
    [1, 500, 1_024, 1_025, 5_120].flatMap((operation) =>
      [0, 1, 3, 10, 40, 98].map((n) => ({ saga, metadata, operation, n })),
    ),
  ),
);

/** "Capacity unit fundamentals", but for the transactional read, which no step makes. */
const fundamentals: readonly [
  unit: string,
  units: (bytes: number) => number,
  one: number,
  largest: number,
][] = [
  ['Strongly consistent read: 1 RCU per 4 KB (rounded up)', (bytes) => readUnits(bytes, true), 1, 4096],
  [
    'Eventually consistent read: 0.5 RCU per 4 KB (rounded up)',
    (bytes) => readUnits(bytes, false),
    0.5,
    4096,
  ],
  ['Standard write: 1 WCU per 1 KB (rounded up)', writeUnits, 1, 1024],
  ['Transactional write: 2 WCUs per 1 KB (rounded up)', transactionUnits, 2, 1024],
];

/** The saga of a message without an outbox is written by a transaction of one item. */
function transactionUnits(sagaBytes: number): number {
  return sumOfUnits(publishedSteps({ sagaBytes, ...sagaOnly }).newMessage).wcu;
}

function stepsOf({ saga, metadata, operation, n }: Sizes, { shape, of = 'newMessage' }: Row) {
  const sizes = { sagaBytes: saga, metadataBytes: metadata, messageBytes: operation, outgoing: n };
  return publishedSteps({ ...sizes, ...shape })[of];
}

describe('the published formulas', () => {
  describe.each(Object.entries(page))('%s', (_table, rows) => {
    it.each(rows)('$step, $call: $capacity', (row) => {
      for (const sizes of cells(allSizes, isPicked)) {
        const steps = stepsOf(sizes, row).filter(({ step }) => step === row.step);
        // Without messages there is nothing to delete, and no call for it.
        if (row.step === 'clear' && sizes.n === 0) expect(steps).toEqual([]);
        else expect(steps.map(({ operation }) => operation)).toEqual(steps.map(() => row.call));
        expect({ ...sizes, ...sumOfUnits(steps) }).toEqual({ ...sizes, rcu: 0, wcu: 0, ...row.units(sizes) });
      }
    });
  });

  it.each(fundamentals)('count in units: %s', (_unit, units, one, largest) => {
    const sizes = [1, largest, largest + 1, 2 * largest, 2 * largest + 1];
    expect(sizes.map(units)).toEqual([1, 1, 2, 2, 3].map((count) => count * one));
  });

  it.each([
    ['Outbox metadata record', '~200–400 bytes', [200, 300, 400]],
    ['under 4 KB still costs 1 RCU', 'and 2 WCUs up to 1 KB', [100, 1_024]],
  ])('estimate sizes: %s, %s', (_item, _size, sizes) => {
    const estimated = publishedSteps({ outgoing: 3 });
    for (const metadataBytes of sizes) {
      expect(publishedSteps({ outgoing: 3, metadataBytes }).newMessage).toEqual(estimated.newMessage);
    }
  });

  it('have no other steps, and none for the expiry: "TTL expiry | Automatic | Free"', () => {
    const steps = (shape: MessageShape) => {
      const { newMessage } = publishedSteps({ sagaBytes: 1_000, ...shape });
      return newMessage.filter(({ calls }) => calls > 0).map(({ operation }) => operation);
    };
    const behind = ['SendMessageBatch', 'UpdateItem', 'BatchWriteItem'];
    expect(steps({ outgoing: 3 })).toEqual(['Query', 'GetItem', 'TransactWriteItems', ...behind]);
    const locked = ['Query', 'UpdateItem', 'TransactWriteItems', ...behind];
    expect(steps({ outgoing: 3, ...pessimistic })).toEqual(locked);
    expect(steps({ ...sagaOnly, ...pessimistic })).toEqual(['UpdateItem', 'TransactWriteItems']);
    expect(steps({ ...outboxOnly })).toEqual(['Query', 'TransactWriteItems', 'UpdateItem']);
  });

  it('end with the check for a duplicate: "processing stops here"', () => {
    const { duplicate } = publishedSteps({ sagaBytes: 1_000, outgoing: 3 });
    expect(deliveryOf(duplicate)).toMatchObject({ calls: 1, rcu: 1, wcu: 0 });
  });

  it.each([
    ['saga, metadata and messages', 98, { sagaBytes: 1_000 }],
    ['metadata and messages', 99, outboxOnly],
  ])('fill the 100 items of a transaction: %s, with %i messages', (_items, outgoing, shape) => {
    const { newMessage } = publishedSteps({ outgoing, ...shape });
    const commit = newMessage.filter(({ step }) => step === 'commit');
    expect(sum(commit, ({ items }) => items)).toBe(limits.transactionItems);
  });

  it.each([
    [0, 5],
    [1, 8],
    [3, 14],
    [10, 35],
  ])('give for a saga of 1,000 bytes and %i messages of 500 bytes 2 RCU and %i WCU', (outgoing, wcu) => {
    const { newMessage } = publishedSteps({ sagaBytes: 1_000, outgoing });
    expect(sumOfUnits(newMessage)).toEqual({ rcu: 2, wcu });
  });
});
