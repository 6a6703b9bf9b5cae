import { sharedBatchers } from '../adapters/dynamodb/calls/batchers.ts';
import { DynamoDBCommitter } from '../adapters/dynamodb/commit/committer.ts';
import type { Outbox } from '../adapters/dynamodb/outbox/outbox-item.ts';
import { DynamoDBOutboxStore } from '../adapters/dynamodb/outbox/outbox-store.ts';
import { defaultMapper } from '../adapters/dynamodb/saga/mapper.ts';
import { DynamoDBSagaLocks } from '../adapters/dynamodb/saga/saga-locks.ts';
import { DynamoDBSagaStore } from '../adapters/dynamodb/saga/saga-store.ts';
import { S3ClaimChecks } from '../adapters/s3/claim-checks.ts';
import type { Destinations } from '../core/outgoing/destination.ts';
import type { LockingSettings } from '../core/saga/locking.ts';
import { withoutOutbox, withoutSagas } from '../flow/null-stores.ts';
import type { ClaimChecks, Ports, SagaLocks } from '../ports.ts';
import { awsDispatcher } from './aws-dispatcher.ts';
import { defaultDynamoDBClient } from './clients.ts';
import { clientLoader } from './optional-clients.ts';
import type { SagaOutboxOptions } from './options.ts';
import { claimCheckOf, usesRelayIndex } from './sending-settings.ts';
import { deduplicationSeconds, destinationsOf, type Environment, endpointName, tableOf } from './settings.ts';
import { systemClock } from './system-clock.ts';

/** The ports on AWS. */
export function awsPorts(
  options: SagaOutboxOptions,
  environment: Environment,
  locking: LockingSettings,
): Ports {
  const { saga, mapper = defaultMapper } = options;
  const client = options.dynamoDBClient ?? defaultDynamoDBClient();
  const clock = systemClock;
  const endpoint = endpointName(options, environment);
  const destinations = destinationsOf(options, environment);
  const sagaTable = saga && tableOf('sagaTable', options, environment);
  const consistentRead = locking.mode === 'pessimistic' || locking.consistentRead;
  const outbox = options.outbox === false ? undefined : outboxOf(options, environment);
  const { reads, writes, commits, dispatches } = sharedBatchers(client, clock);
  const dispatcher = awsDispatcher(options, environment, { endpoint, destinations, commits, clock });
  const claimChecks = claimChecksOf(options, environment, destinations);
  return {
    sagas: sagaTable
      ? new DynamoDBSagaStore({ reads, table: sagaTable, mapper, consistentRead })
      : withoutSagas,
    outbox: outbox ? new DynamoDBOutboxStore({ client, outbox, reads, writes }) : withoutOutbox,
    committer: new DynamoDBCommitter({ client, sagaTable, outbox, mapper, endpoint, commits }),
    dispatcher: {
      dispatch: (operations, dispatching) =>
        dispatches.during(() => dispatcher.dispatch(operations, dispatching)),
    },
    ...(claimChecks && { claimChecks }),
    clock,
  };
}

/** @throws SagaboxError `Configuration` */
export function outboxOf(options: SagaOutboxOptions, environment: Environment): Outbox {
  return {
    table: tableOf('outboxTable', options, environment),
    endpoint: endpointName(options, environment),
    deduplicationPeriodSeconds: deduplicationSeconds(options, environment),
    relayIndex: usesRelayIndex(options, environment),
  };
}

export function awsLocks(options: SagaOutboxOptions, environment: Environment): SagaLocks {
  const { mapper = defaultMapper, dynamoDBClient: client = defaultDynamoDBClient() } = options;
  const table = tableOf('sagaTable', options, environment);
  return new DynamoDBSagaLocks({ client, table, mapper, clock: systemClock });
}

function claimChecksOf(
  options: SagaOutboxOptions,
  environment: Environment,
  destinations: Destinations,
): ClaimChecks | undefined {
  const settings = claimCheckOf(options, environment);
  if (settings === undefined) return undefined;
  const { bucketName, thresholdBytes } = settings;
  const endpoint = endpointName(options, environment);
  return new S3ClaimChecks({
    bucketName,
    thresholdBytes,
    destinations,
    endpoint,
    loadClient: clientLoader('s3Client', options),
  });
}
