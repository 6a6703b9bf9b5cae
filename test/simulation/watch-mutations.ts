import type { Mutation, OutboxMutation } from './mutation.ts';

const watch = 'lib/relay/watch.ts';
const relay = 'lib/relay/relay.ts';
const listing = 'await table.list({ ...unsent, storedAt: listedTime(unsent.storedAt, now) }, meter);';

const anyChange = {
  file: watch,
  piece: 'if (known === undefined || change.sequence >= known.sequence) newest.set(id, change);',
  becomes: 'newest.set(id, known === undefined ? change : { ...change, mayBeUnsent: false });',
} as const;

/** In the watcher of the stream, its event source mapping, and the list that it keeps for the relay. */
export const watchMutations: readonly Mutation[] = [
  {
    name: 'an event source mapping begins with the latest change',
    file: 'test/simulation/simulated-stream.ts',
    piece: 'shard.position = 0;',
    becomes: 'shard.position = shard.changes.length;',
    breaks: ['I3'],
  },
  {
    name: 'a batch of the stream that fails is not tried again',
    file: 'test/simulation/instance.ts',
    piece: "world.coverage.add('batches of the stream that fail');",
    becomes: 'batch.done();',
    breaks: ['I3'],
  },
  {
    name: 'a batch of the stream ends before what it lists is on the list',
    file: watch,
    piece: listing,
    becomes: `${listing.replace('await ', 'void ').replace(';', '.catch(() => {});')}`,
    breaks: ['I3', 'I6'],
  },
  {
    name: 'what cannot be listed is passed over',
    file: watch,
    piece: listing,
    becomes: listing.replace(';', '.catch(() => {});'),
    breaks: ['I3'],
  },
  {
    name: 'what cannot be looked at is passed over',
    file: watch,
    piece: 'await table.unsentIn(item, meter)',
    becomes: 'await table.unsentIn(item, meter).catch(() => [])',
    breaks: ['I3'],
  },
  {
    name: 'any later change lets a record go',
    ...anyChange,
    breaks: ['I3'],
  },
  {
    name: 'what is on the list expires',
    file: 'lib/relay/unsent-items.ts',
    piece: 'itemPartition: { S: partition },',
    becomes:
      'itemPartition: { S: partition },\n    ...{ [table.timeToLiveAttributeName]: { N: String(storedAt.getTime() / 1000 + 60) } },',
    breaks: ['I3'],
  },
  {
    name: 'the relay takes a record off the list before it dispatches it',
    file: relay,
    piece: "if (claim !== 'claimed') return claim;",
    becomes:
      "if (claim !== 'claimed') return claim;\n  await settled(undispatched.unlist(reference, meter));",
    breaks: ['I3'],
    seed: 11,
  },
  {
    name: 'the relay takes a record off the list that it cannot dispatch',
    file: relay,
    piece: 'result.failed.push(relayFailure(found.messageId, error));',
    becomes:
      'result.failed.push(relayFailure(found.messageId, error));\n    await settled(run.ports.undispatched.unlist(found, run.meter));',
    breaks: ['I3'],
  },
  {
    name: 'the relay takes a record off the list that another one holds',
    file: relay,
    piece: "outcome === 'dispatched' || outcome === 'settled'",
    becomes: "outcome !== 'postponed'",
    breaks: ['I3'],
  },
  {
    name: 'the relay leaves on the list what it finds settled',
    file: relay,
    piece: "outcome === 'dispatched' || outcome === 'settled'",
    becomes: "outcome === 'dispatched'",
    breaks: ['rest'],
  },
];

/** The same of an embedded outbox. */
export const embeddedWatchMutations: readonly Omit<OutboxMutation, 'outbox'>[] = [
  {
    name: 'any later change lets an entry go',
    ...anyChange,
    breaks: ['I3'],
    seed: 1,
  },
  {
    name: 'only the first change of an item is looked at',
    file: 'lib/relay/stream-changes.dynamodb.ts',
    piece: "eventName !== 'REMOVE' &&",
    becomes: "eventName === 'INSERT' &&",
    breaks: ['I3'],
    seed: 1,
  },
  {
    name: 'the look at an item is not consistent',
    file: 'test/simulation/simulated-ports.ts',
    piece: 'embedded.read(partition));',
    becomes: 'world.watch.imageOf(partition, world.random()).embedded);',
    breaks: ['I3'],
    seed: 3,
  },
];
