import { DynamoDBCommitter } from '../dynamodb/committer.ts';
import { defaultMapper } from '../dynamodb/mapper.ts';
import type { Outbox } from '../dynamodb/outbox-item.ts';
import { DynamoDBOutboxStore } from '../dynamodb/outbox-store.ts';
import { DynamoDBSagaStore } from '../dynamodb/saga-store.ts';
import type { Flow } from '../flow/attempt.ts';
import { withoutOutbox, withoutSagas } from '../flow/null-stores.ts';
import { SqsDispatcher } from '../sqs/dispatcher.ts';
import { defaultDynamoDBClient, defaultSqsClient } from './clients.ts';
import type { SagaOutboxOptions } from './options.ts';
import { deduplicationSeconds, destinationsOf, endpointName, tableOf } from './settings.ts';
import { systemClock } from './system-clock.ts';

/**
 * Wires the ports to DynamoDB and SQS.
 *
 * @throws SagaboxError `Configuration` for a setting that is missing or wrong
 */
export function configureFlow(options: SagaOutboxOptions, environment = process.env): Flow {
  const { saga, outbox: outboxEnabled = true, mapper = defaultMapper, logger = console } = options;
  const endpoint = endpointName(options, environment);
  const destinations = destinationsOf(options, environment);
  const clock = options.ports?.clock ?? systemClock;
  const { onMessage, onSagaNotFound } = options;
  const hooks = { ...(onMessage && { onMessage }), ...(onSagaNotFound && { onSagaNotFound }) };
  const shared = { endpoint, destinations, saga, outbox: outboxEnabled, hooks, logger };
  const { sagas, outbox: outboxStore, committer, dispatcher } = options.ports ?? {};
  if (sagas && outboxStore && committer && dispatcher) {
    return { ...shared, ports: { sagas, outbox: outboxStore, committer, dispatcher, clock } };
  }

  const client = options.dynamoDBClient ?? defaultDynamoDBClient();
  const sagaTable = saga && tableOf('sagaTable', options, environment);
  const outbox: Outbox | undefined = outboxEnabled
    ? {
        table: tableOf('outboxTable', options, environment),
        endpoint,
        timeToKeepDeduplicationDataSeconds: deduplicationSeconds(options),
      }
    : undefined;
  return {
    ...shared,
    ports: {
      sagas: sagaTable ? new DynamoDBSagaStore({ client, table: sagaTable, mapper }) : withoutSagas,
      outbox: outbox ? new DynamoDBOutboxStore({ client, outbox, clock }) : withoutOutbox,
      committer: new DynamoDBCommitter({ client, sagaTable, outbox, mapper, endpoint }),
      dispatcher: new SqsDispatcher({ client: options.sqsClient ?? defaultSqsClient(), destinations, clock }),
      clock,
    },
  };
}
