import { sharedBatchers } from '../../adapters/dynamodb/calls/batchers.ts';
import { sharedEmbeddedBatchers } from '../../adapters/dynamodb/embedded/embedded-batchers.ts';
import { embeddedPlanner } from '../../adapters/dynamodb/embedded/embedded-planner.ts';
import { DynamoDBEmbeddedSagas } from '../../adapters/dynamodb/embedded/embedded-sagas.ts';
import { defaultMapper } from '../../adapters/dynamodb/saga/mapper.ts';
import type { Table } from '../../core/storage/table-defaults.ts';
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
