import fc from 'fast-check';
import type { MessageShape, Workload } from 'sagabox/capacity';

type Shaped<T> = { [K in keyof T]?: T[K] };

const shape: fc.Arbitrary<Shaped<MessageShape>> = fc.record(
  {
    sagaBytes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400_000 })),
    sagaCompressionRatio: fc.double({ min: 1e-300, max: 2, noNaN: true }),
    sagaChange: fc.constantFrom('create', 'update', 'complete', 'none'),
    locking: fc.constantFrom('optimistic', 'eventual', 'pessimistic'),
    lockAttempts: fc.double({ min: 1, max: 100, noNaN: true }),
    outbox: fc.boolean(),
    layout: fc.constantFrom('records', 'embedded'),
    liveIds: fc.double({ min: 0, max: 1_000, noNaN: true }),
    contributionBytes: fc.integer({ min: 1, max: 400_000 }),
    outgoing: fc.oneof(fc.nat(40), fc.nat(10_000)),
    messageBytes: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 2 ** 20 })),
    destinations: fc.integer({ min: 1, max: 1_000 }),
    compressionRatio: fc.double({ min: 1e-300, max: 2, noNaN: true }),
    duplicateRate: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    conflictRate: fc.double({ min: 0, max: 0.99, noNaN: true }),
    metadataBytes: fc.integer({ min: 100, max: 5_000 }),
  },
  { requiredKeys: [] },
);

/** Within the bounds of each property; some are over a limit as a whole. An embedded outbox is that of a saga. */
export const anyShape = (shape as fc.Arbitrary<MessageShape>).filter(
  ({ layout, sagaBytes = 0, outbox = true }) => layout !== 'embedded' || (sagaBytes > 0 && outbox),
);

const rate = fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 1e-6, max: 1e7, noNaN: true }));

export const anyWorkload = fc.record(
  {
    message: anyShape,
    messagesPerSecond: rate,
    deduplicationPeriod: fc.record({ hours: fc.double({ min: 1, max: 3650 * 24, noNaN: true }) }),
    targetUtilizationPercent: fc.double({ min: 20, max: 90, noNaN: true }),
    batchSize: fc.double({ min: 1, max: 10_000, noNaN: true }),
    sharedTable: fc.boolean(),
    region: fc.constantFrom('us-east-1', 'us-west-2', 'eu-west-1', 'eu-central-1', 'ap-southeast-1'),
  },
  { requiredKeys: ['message', 'messagesPerSecond'] },
) as fc.Arbitrary<Workload>;

/** The paths of numbers in a result that are not finite, or below nothing. */
export function impossibleNumbers(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? [] : [`${path} ${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => impossibleNumbers(one, `${path}.${name}`));
}
