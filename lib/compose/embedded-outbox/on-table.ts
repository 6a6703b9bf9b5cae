import type { Table } from '../../dynamodb/table-defaults.ts';
import { sharedBatchers } from '../../outbox/batchers.dynamodb.ts';
import { sharedEmbeddedBatchers } from '../../outbox/embedded/embedded-batchers.dynamodb.ts';
import { embeddedPlanner } from '../../outbox/embedded/embedded-planner.dynamodb.ts';
import { DynamoDBEmbeddedSagas } from '../../outbox/embedded/embedded-sagas.dynamodb.ts';
import { defaultMapper } from '../../saga/item/mapper.dynamodb.ts';
import type { Environment } from '../../settings/setting.ts';
import { defaultDynamoDBClient } from '../clients.ts';
import type { SagaOutboxOptions } from '../options.ts';
import type { OutboxParts } from '../outbox-parts.ts';
import { deduplicationSeconds } from '../settings.ts';
import { systemClock } from '../system-clock.ts';

export const embeddedOnTable: OutboxParts['onTable'] = (table, options, environment) => {
  const { saga, mapper = defaultMapper, dynamoDBClient: client = defaultDynamoDBClient() } = options;
  const { statements } = sharedEmbeddedBatchers(client, systemClock);
  const compressesState = saga?.compressesState === true;
  return {
    embedded: embeddedSagasOf(table, options, environment),
    planEmbedded: embeddedPlanner({ table, mapper, compressesState, statements }),
  };
};

/** @throws SagaboxError `Configuration` */
export function embeddedSagasOf(
  table: Table,
  options: SagaOutboxOptions,
  environment: Environment,
): DynamoDBEmbeddedSagas {
  const { dynamoDBClient: client = defaultDynamoDBClient() } = options;
  const { reads } = sharedBatchers(client, systemClock);
  const { marks } = sharedEmbeddedBatchers(client, systemClock);
  const deduplicationPeriodSeconds = deduplicationSeconds(options, environment);
  return new DynamoDBEmbeddedSagas({ client, table, reads, marks, deduplicationPeriodSeconds });
}
