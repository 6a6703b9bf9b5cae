import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ReadBatcher } from '../dynamodb/calls/read-batcher.ts';
import { WriteBatcher } from '../dynamodb/calls/write-batcher.ts';
import { InFlight } from '../kernel/calls/in-flight.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CommitMerger } from './commit/commit-merger.ts';
import { newTransactionMerger, type TransactionPart } from './commit/transaction.dynamodb.ts';

/** The batchers that messages handled at the same time share, so that their calls share round trips. */
export interface Batchers {
  readonly reads: ReadBatcher;
  readonly writes: WriteBatcher;
  readonly merger: CommitMerger<TransactionPart>;
  /** Commits of messages that have something to send. */
  readonly commits: InFlight;
  readonly dispatches: InFlight;
}

/** @param random from 0 up to 1 */
export function newBatchers(
  client: DynamoDBClient,
  clock: Clock,
  random: () => number = Math.random,
): Batchers {
  const dispatches = new InFlight();
  return {
    reads: new ReadBatcher(client, { clock, random }),
    writes: new WriteBatcher(client, { clock, random }, dispatches),
    merger: newTransactionMerger(client),
    commits: new InFlight(),
    dispatches,
  };
}

const batchersOfClients = new WeakMap<DynamoDBClient, Batchers>();

/** Returns the batchers of a client, which its flows share: several may share a function, and a batch. */
export function sharedBatchers(client: DynamoDBClient, clock: Clock): Batchers {
  const known = batchersOfClients.get(client);
  if (known) return known;
  const batchers = newBatchers(client, clock);
  batchersOfClients.set(client, batchers);
  return batchers;
}
