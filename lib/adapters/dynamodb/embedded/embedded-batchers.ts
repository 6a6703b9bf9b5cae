import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../../ports.ts';
import { type Batchers, sharedBatchers } from '../calls/batchers.ts';
import { MarkBatcher } from './mark-batcher.ts';
import { StatementBatcher } from './statement-batcher.ts';

/** What messages of sagas with an embedded outbox share, beside the {@link Batchers} of all. */
export interface EmbeddedBatchers {
  readonly statements: StatementBatcher;
  readonly marks: MarkBatcher;
}

export function newEmbeddedBatchers(
  client: DynamoDBClient,
  clock: Clock,
  { dispatches }: Pick<Batchers, 'dispatches'>,
): EmbeddedBatchers {
  const statements = new StatementBatcher(client);
  return { statements, marks: new MarkBatcher(client, clock, dispatches, statements) };
}

const batchersOfClients = new WeakMap<DynamoDBClient, EmbeddedBatchers>();

/** The same for all flows on one client, as {@link sharedBatchers}. */
export function sharedEmbeddedBatchers(client: DynamoDBClient, clock: Clock): EmbeddedBatchers {
  const known = batchersOfClients.get(client);
  if (known) return known;
  const batchers = newEmbeddedBatchers(client, clock, sharedBatchers(client, clock));
  batchersOfClients.set(client, batchers);
  return batchers;
}
