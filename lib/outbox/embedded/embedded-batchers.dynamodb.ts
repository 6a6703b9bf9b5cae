import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../kernel/clock.ts';
import { type Batchers, sharedBatchers } from '../batchers.dynamodb.ts';
import { MarkBatcher } from './mark-batcher.dynamodb.ts';
import { StatementBatcher } from './statement-batcher.dynamodb.ts';

/** The batchers that sagas with an embedded outbox share, beside the {@link Batchers} of all messages. */
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

/** Returns the batchers of a client, which all flows on it share, as {@link sharedBatchers} does. */
export function sharedEmbeddedBatchers(client: DynamoDBClient, clock: Clock): EmbeddedBatchers {
  const known = batchersOfClients.get(client);
  if (known) return known;
  const batchers = newEmbeddedBatchers(client, clock, sharedBatchers(client, clock));
  batchersOfClients.set(client, batchers);
  return batchers;
}
