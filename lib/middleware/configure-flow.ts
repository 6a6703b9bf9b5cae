import { randomUUID } from 'node:crypto';
import { SagaboxError } from '../core/errors.ts';
import { type LockingSettings, lockingSettings } from '../core/locking.ts';
import { DynamoDBCommitter } from '../dynamodb/committer.ts';
import { defaultMapper } from '../dynamodb/mapper.ts';
import type { Outbox } from '../dynamodb/outbox-item.ts';
import { DynamoDBOutboxStore } from '../dynamodb/outbox-store.ts';
import { DynamoDBSagaLocks } from '../dynamodb/saga-locks.ts';
import { DynamoDBSagaStore } from '../dynamodb/saga-store.ts';
import type { Flow, PessimisticLocks } from '../flow/attempt.ts';
import { withoutOutbox, withoutSagas } from '../flow/null-stores.ts';
import { SagaGuesses } from '../flow/saga-guesses.ts';
import type { Ports, SagaLocks } from '../ports.ts';
import { SqsDispatcher } from '../sqs/dispatcher.ts';
import { defaultDynamoDBClient, defaultSqsClient } from './clients.ts';
import type { SagaOutboxOptions } from './options.ts';
import { deduplicationSeconds, destinationsOf, endpointName, tableOf } from './settings.ts';
import { systemClock } from './system-clock.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the options and the environment make of an endpoint.
 *
 * @throws SagaboxError `Configuration` for a setting that is missing or wrong
 */
export function configureFlow(options: SagaOutboxOptions, environment: Environment = process.env): Flow {
  const { saga, outbox = true, logger = console } = options;
  const locking = lockingSettings(options.locking);
  return {
    endpoint: endpointName(options, environment),
    destinations: destinationsOf(options, environment),
    saga,
    outbox,
    hooks: options,
    logger,
    ports: options.ports ?? awsPorts(options, environment, locking),
    pessimistic: saga && pessimisticLocks(options, environment, locking),
  };
}

/** The ports on DynamoDB and SQS. */
function awsPorts(options: SagaOutboxOptions, environment: Environment, locking: LockingSettings): Ports {
  const { saga, mapper = defaultMapper } = options;
  const client = options.dynamoDBClient ?? defaultDynamoDBClient();
  const clock = systemClock;
  const endpoint = endpointName(options, environment);
  const destinations = destinationsOf(options, environment);
  const sagaTable = saga && tableOf('sagaTable', options, environment);
  const consistentRead = locking.mode === 'pessimistic' || locking.consistentRead;
  const outbox: Outbox | undefined =
    options.outbox === false
      ? undefined
      : {
          table: tableOf('outboxTable', options, environment),
          endpoint,
          timeToKeepDeduplicationDataSeconds: deduplicationSeconds(options, environment),
        };
  return {
    sagas: sagaTable
      ? new DynamoDBSagaStore({ client, table: sagaTable, mapper, consistentRead })
      : withoutSagas,
    outbox: outbox ? new DynamoDBOutboxStore({ client, outbox, clock }) : withoutOutbox,
    committer: new DynamoDBCommitter({ client, sagaTable, outbox, mapper, endpoint }),
    dispatcher: new SqsDispatcher({ client: options.sqsClient ?? defaultSqsClient(), destinations, clock }),
    clock,
  };
}

function pessimisticLocks(
  options: SagaOutboxOptions,
  environment: Environment,
  settings: LockingSettings,
): PessimisticLocks | undefined {
  if (settings.mode !== 'pessimistic') return undefined;
  const locks = options.ports ? givenLocks(options.ports) : awsLocks(options, environment);
  return { settings, locks, guesses: new SagaGuesses(), random: Math.random, newLeaseOwner: randomUUID };
}

function awsLocks(options: SagaOutboxOptions, environment: Environment): SagaLocks {
  const { mapper = defaultMapper, dynamoDBClient: client = defaultDynamoDBClient() } = options;
  const table = tableOf('sagaTable', options, environment);
  return new DynamoDBSagaLocks({ client, table, mapper, clock: systemClock });
}

function givenLocks({ locks }: Ports): SagaLocks {
  if (locks) return locks;
  throw new SagaboxError('Configuration', {
    setting: 'ports',
    problem: 'they have no locks, which the pessimistic mode needs',
    remedy: "Give 'locks' too, or use the optimistic mode",
  });
}
