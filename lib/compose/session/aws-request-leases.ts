import { sharedBatchers } from '../../outbox/batchers.dynamodb.ts';
import { DynamoDBOutboxStore } from '../../outbox/outbox-store.dynamodb.ts';
import { DynamoDBRequestLeases } from '../../outbox/request-leases.dynamodb.ts';
import type { Environment } from '../../settings/setting.ts';
import { outboxTableOf } from '../aws-ports.ts';
import { defaultDynamoDBClient } from '../clients.ts';
import { systemClock } from '../system-clock.ts';
import type { OutboxSessionOptions } from './session-options.ts';

/**
 * The leases that exclusive sessions take on requests. They are not among the ports of every endpoint, so
 * that a function without a session does not have their code in its bundle.
 *
 * @throws SagaboxError `Configuration`
 */
export function awsRequestLeases(
  options: OutboxSessionOptions,
  environment: Environment,
): DynamoDBRequestLeases {
  const { dynamoDBClient: client = defaultDynamoDBClient() } = options;
  const clock = systemClock;
  const outbox = outboxTableOf(options, environment);
  const { reads, writes } = sharedBatchers(client, clock);
  const store = new DynamoDBOutboxStore({ client, outbox, reads, writes });
  return new DynamoDBRequestLeases({ client, outbox, store, clock });
}
