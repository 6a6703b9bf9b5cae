import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { compress } from '../../lib/dynamodb/compression.ts';
import { inboxBytes } from '../../lib/outbox/embedded/inbox.ts';
import { MAX_PACKED_BYTES } from '../../lib/outbox/packing.ts';
import { MAX_STATE_BYTES } from '../../lib/saga/item/compressed-state.ts';
import { anyAttributeValue } from '../support/attribute-values.ts';
import type { Item } from '../support/raw-items.ts';
import { damagedString } from './damage.ts';
import { hostileString, inheritedName } from './hostile-values.ts';
import { outgoing } from './stored-endpoint.ts';

const KEYS = ['PK', 'SK'];

const counts = fc
  .constantFrom('-1', '0', '1', '2', '47', '99', '100', '101', '1000000000', '1e18', '1e100', '1.5', '-0.1')
  .map((N): AttributeValue => ({ N }));

/** A table keeps UTF-8, which has no halves of surrogate pairs: dynoxide refuses a request that has one. */
const storedString = hostileString.map((value) => value.toWellFormed());

const times = fc
  .oneof(
    storedString,
    fc.constantFrom('', 'yesterday', '2026-01-01', '9999999999999', '+275760-09-13T00:00:00.000Z'),
  )
  .map((S): AttributeValue => ({ S }));

const leases = fc
  .tuple(anyAttributeValue, fc.oneof(anyAttributeValue, counts))
  .map(([owner, until]): AttributeValue => ({ M: { owner, until } }));

const bomb = compress(new Uint8Array(MAX_PACKED_BYTES + 1).fill(0x20));
/** Ten thousand, of few bytes once they are compressed. */
const many = compress(Buffer.from(JSON.stringify(Array.from({ length: 10_000 }, (_, n) => outgoing(n)))));

/** Within the size of an item. */
const storable = (value: unknown) => damagedString(value).filter((json) => json.length < 300_000);

const operations: fc.Arbitrary<AttributeValue> = fc
  .oneof(
    { weight: 6, arbitrary: storable([outgoing(1), { id: 'c-1', cancels: 'out-9' }]).map(Buffer.from) },
    {
      weight: 3,
      arbitrary: storable([{ ...outgoing(1), dueAt: '2026-01-03T00:00:00.000Z', delaySeconds: 5 }]).map(
        (json) => compress(Buffer.from(json)),
      ),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    { weight: 1, arbitrary: fc.constantFrom(bomb, many, many.subarray(0, 50)) },
  )
  .map((B): AttributeValue => ({ B: Uint8Array.from(B) }));

const stateBomb = compress(new Uint8Array(MAX_STATE_BYTES + 1).fill(0x20));

/** Compressed, of a saga. */
const states: fc.Arbitrary<AttributeValue> = fc.oneof(
  {
    weight: 4,
    arbitrary: storable({ handled: { L: [{ S: 'earlier' }, { N: '5' }, { B: 'YQ==' }, { SS: ['a'] }] } }).map(
      (json) => ({ B: compress(Buffer.from(json)) }),
    ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((B) => ({ B })) },
  { weight: 1, arbitrary: fc.constantFrom(stateBomb, stateBomb.subarray(0, 5)).map((B) => ({ B })) },
);

const fitting: Readonly<Record<string, fc.Arbitrary<AttributeValue>>> = {
  chunkCount: counts,
  operationCount: counts,
  version: counts,
  storedAt: times,
  createdAt: times,
  dispatchedAt: times,
  lease: leases,
  operations,
  state: states,
  encoding: fc.constantFrom('br', 'gzip', '', '__proto__').map((S): AttributeValue => ({ S })),
  schemaVersion: counts,
  stateVersion: counts,
  dispatched: fc.boolean().map((BOOL): AttributeValue => ({ BOOL })),
  timeouts: fc.array(anyAttributeValue, { maxLength: 3 }).map((L): AttributeValue => ({ L })),
};

export type Change = readonly [name: string, value: AttributeValue | undefined];

/** Changes of some attributes, each to something of its kind, to anything, or removed. */
function changesOf(names: readonly string[], own: typeof fitting = {}): fc.Arbitrary<Change[]> {
  const change = fc
    .constantFrom(...names)
    .chain((name) =>
      fc
        .oneof(
          { weight: 5, arbitrary: own[name] ?? fitting[name] ?? anyAttributeValue },
          { weight: 2, arbitrary: anyAttributeValue },
          { weight: 1, arbitrary: fc.constant(undefined) },
        )
        .map((value): Change => [name, value]),
    );
  return fc.array(change, { minLength: 1, maxLength: 3 });
}

export const recordChanges = changesOf([
  'dispatched',
  'operations',
  'operations',
  'encoding',
  'operationCount',
  'chunkCount',
  'chunkCount',
  'storedAt',
  'schemaVersion',
  'lease',
  'messageId',
  'ExpiresAt',
]);

/** Of a record whose operations are in chunks. */
const chunkedRecordChanges = changesOf([
  'dispatched',
  'encoding',
  'operationCount',
  'chunkCount',
  'chunkCount',
  'schemaVersion',
]);

type ChunkDamage = (chunk: Item) => Item | undefined;

function withBytes(change: (bytes: Uint8Array) => Uint8Array): ChunkDamage {
  return (chunk) => ({ ...chunk, operations: { B: change(Uint8Array.from(chunk.operations?.B ?? [])) } });
}

const chunkDamage: fc.Arbitrary<ChunkDamage> = fc.oneof(
  fc.constant<ChunkDamage>(() => undefined),
  fc.constant<ChunkDamage>(({ operations: _operations, ...chunk }) => chunk),
  fc.constantFrom<AttributeValue>({ S: '[]' }, { NULL: true }, { B: new Uint8Array() }).map(
    (operations): ChunkDamage =>
      (chunk) => ({ ...chunk, operations }),
  ),
  fc.nat(100).map((length) => withBytes((bytes) => bytes.subarray(0, length))),
  // No byte of UTF-8 is like that.
  fc.nat(20).map((at) => withBytes((bytes) => bytes.fill(0xff, at, at + 1))),
);

interface ChunkedDamage {
  readonly chunkCount: number;
  readonly damages: readonly (readonly [index: number, damage: ChunkDamage])[];
  readonly changes: readonly Change[];
}

/** Few have chunks and a record that do not fit together: then nothing else is wrong with either. */
export const chunkedDamages: fc.Arbitrary<ChunkedDamage> = fc.record({
  chunkCount: fc.integer({ min: 1, max: 5 }),
  damages: fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.tuple(fc.nat(4), chunkDamage), { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
  changes: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Change[]>([]) },
    { weight: 1, arbitrary: chunkedRecordChanges },
  ),
});

export function damagedChunks(chunks: readonly Item[], { damages }: ChunkedDamage): Item[] {
  return chunks.flatMap((chunk, index) => {
    const own = damages.filter(([at]) => at % chunks.length === index);
    const item = own.reduce<Item | undefined>((left, [, damage]) => left && damage(left), chunk);
    return item === undefined ? [] : [item];
  });
}

/**
 * Too rare to be met by chance: what each of these lets through, SQS would refuse, or a function would not
 * end.
 */
const refusedParts: Record<string, unknown>[] = [
  { headers: { tenant: 5 } },
  { headers: { tenant: null } },
  { headers: ['a'] },
  { delaySeconds: -5 },
  { delaySeconds: 901 },
  { messageGroupId: 'two words' },
  { messageGroupId: 7 },
  { id: '' },
];

export const rareRecordChanges: Change[][] = [
  ...refusedParts.map((part): Change[] => [
    ['operations', { B: Buffer.from(JSON.stringify([{ ...outgoing(1), ...part }])) }],
  ]),
  // Ten thousand deletes.
  [
    ['dispatched', { BOOL: true }],
    ['chunkCount', { N: '10000' }],
  ],
];

export const sagaChanges = changesOf([
  'state',
  'state',
  'encoding',
  'stateVersion',
  'version',
  'commitId',
  'createdAt',
  'updatedAt',
  'timeouts',
  'timeouts',
  'schemaVersion',
  'lease',
  'lease',
]);

const inboxes: fc.Arbitrary<AttributeValue> = fc
  .oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc.integer({ min: 0, max: 5 }).chain((entries) => {
      const length = inboxBytes(entries);
      return fc.uint8Array({ minLength: length, maxLength: length });
    }),
  )
  .map((B): AttributeValue => ({ B }));

const entries: fc.Arbitrary<AttributeValue> = fc.oneof(
  anyAttributeValue,
  fc
    .record(
      {
        id: fc.oneof(
          storedString.map((S) => ({ S })),
          fc.uint8Array({ maxLength: 20 }).map((B) => ({ B })),
          anyAttributeValue,
        ),
        data: fc.oneof(
          fc.uint8Array({ maxLength: 60 }).map((B) => ({ B })),
          anyAttributeValue,
        ),
        sent: fc.oneof(
          fc.uint8Array({ maxLength: 5 }).map((B) => ({ B })),
          anyAttributeValue,
        ),
        lease: fc.oneof(leases, anyAttributeValue),
      },
      { requiredKeys: [] },
    )
    .map((M): AttributeValue => ({ M })),
);

/** The SDK cannot read this one, which is no key of a pending message either. */
const isReadKey = (key: string) => key !== '__proto__';

const pendings: fc.Arbitrary<AttributeValue> = fc
  .dictionary(fc.oneof(inheritedName, storedString).filter(isReadKey), entries, { maxKeys: 3 })
  .map((M): AttributeValue => ({ M }));

/** Of a saga with an embedded outbox. */
export const embeddedChanges = changesOf(
  [
    ...['state', 'encoding', 'stateVersion', 'version', 'commitId', 'createdAt', 'updatedAt', 'timeouts'],
    ...[
      'schemaVersion',
      'endpoint',
      'inbox',
      'inbox',
      'pending',
      'pending',
      'overflowed',
      'ExpiresAt',
      'lease',
    ],
  ],
  {
    createdAt: counts,
    updatedAt: counts,
    ExpiresAt: counts,
    inbox: inboxes,
    pending: pendings,
    endpoint: storedString.map((S) => ({ S })),
    overflowed: fc.boolean().map((BOOL) => ({ BOOL })),
    commitId: fc.uint8Array({ maxLength: 20 }).map((B) => ({ B })),
  },
);

export const rareEmbeddedChanges: Change[][] = [
  [],
  [['inbox', undefined]],
  [['pending', { M: {} }]],
  [['pending', undefined]],
  [['state', undefined]],
  [['overflowed', { BOOL: true }]],
  [
    ['state', undefined],
    ['ExpiresAt', { N: '1' }],
  ],
];

export function changedItem(item: Item, changes: readonly Change[]): Item {
  const changed = new Map(Object.entries(item));
  for (const [name, value] of changes) {
    if (KEYS.includes(name)) continue;
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  return Object.fromEntries(changed);
}
