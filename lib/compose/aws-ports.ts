import type { Ports } from '../attempt/ports.ts';
import type { Destinations } from '../messages/destinations/destination.ts';
import { type Batchers, sharedBatchers } from '../outbox/batchers.dynamodb.ts';
import { DynamoDBCommitter } from '../outbox/commit/committer.dynamodb.ts';
import { DynamoDBOutboxStore } from '../outbox/outbox-store.dynamodb.ts';
import type { OutboxStore } from '../outbox/outbox-store.ts';
import type { OutboxTarget } from '../outbox/record-item.dynamodb.ts';
import { DynamoDBContributions } from '../saga/contributions.dynamodb.ts';
import { CustomSagas } from '../saga/custom-store/custom-sagas.dynamodb.ts';
import type { SagaRules } from '../saga/definition/define-saga.ts';
import type { LockingSettings } from '../saga/definition/locking.ts';
import { defaultMapper } from '../saga/item/mapper.dynamodb.ts';
import { DynamoDBSagaLocks } from '../saga/saga-locks.dynamodb.ts';
import type { SagaLocks } from '../saga/saga-locks.ts';
import { DynamoDBSagaStore } from '../saga/saga-store.dynamodb.ts';
import type { SagaStore } from '../saga/saga-store.ts';
import { S3ClaimChecks } from '../sending/claim-check/claim-checks.s3.ts';
import { RoutedDispatcher } from '../sending/routed-dispatcher.ts';
import { EventBridgeScheduler } from '../sending/schedules/schedules.scheduler.ts';
import { eventBridgeService } from '../sending/transports/send-service.eventbridge.ts';
import { snsService } from '../sending/transports/send-service.sns.ts';
import { Sender } from '../sending/transports/sender.ts';
import type { Environment } from '../settings/setting.ts';
import { outboxTableSetting, sagaTableSetting } from '../settings/tables.ts';
import { clientLoader, defaultDynamoDBClient, defaultSqsClient } from './clients.ts';
import type { EndpointOptions, SagaOutboxOptions } from './options.ts';
import { outboxParts } from './outbox-parts.ts';
import { claimCheckOf, schedulerOf } from './sending-settings.ts';
import { deduplicationSeconds, destinationsOf, endpointName } from './settings.ts';
import { sharedQueueSender } from './shared-queue-sender.ts';
import { systemClock } from './system-clock.ts';
import { tableOf } from './table-settings.ts';

/** The store of endpoints without an outbox: every message is new. */
const noRecords: OutboxStore = {
  find: async () => undefined,
  saveProgress: async (_record, sent) => sent,
  markDispatched: async () => {},
};

const noSagas: SagaStore = { load: async () => ({ stored: undefined, item: undefined }) };

/** The ports on AWS. */
export function awsPorts(
  options: SagaOutboxOptions,
  environment: Environment,
  locking: LockingSettings,
): Ports {
  const { saga, sagaStore, mapper = defaultMapper } = options;
  const client = options.dynamoDBClient ?? defaultDynamoDBClient();
  const clock = systemClock;
  const endpoint = endpointName(options, environment);
  const destinations = destinationsOf(options, environment);
  const customSagas = saga && sagaStore && new CustomSagas(sagaStore, mapper);
  const sagaTable = saga && !customSagas ? tableOf(sagaTableSetting, options, environment) : undefined;
  const parts = outboxParts(saga);
  const onTable = sagaTable && parts?.onTable(sagaTable, options, environment);
  const consistentRead = !readsEventually(saga, locking);
  const outbox = options.outbox === false ? undefined : outboxTableOf(options, environment);
  const { reads, writes, merger, commits, dispatches } = sharedBatchers(client, clock);
  const claimCheck = claimCheckOf(options, environment);
  const loadClient = clientLoader('s3Client', options);
  return {
    sagas: sagaTable
      ? new DynamoDBSagaStore({
          reads,
          table: sagaTable,
          mapper,
          consistentRead,
          readEmbedded: parts?.readEmbedded,
        })
      : (customSagas ?? noSagas),
    ...(onTable && { embedded: onTable.embedded }),
    ...(sagaTable && { contributions: new DynamoDBContributions({ client, table: sagaTable }) }),
    outbox: outbox ? new DynamoDBOutboxStore({ client, outbox, reads, writes }) : noRecords,
    committer: new DynamoDBCommitter({
      client,
      sagaTable,
      customSagas,
      outbox,
      mapper,
      compressesState: saga?.compressesState === true,
      planEmbedded: onTable?.planEmbedded,
      endpoint,
      commits,
      merger,
    }),
    dispatcher: routedDispatcher(options, environment, destinations, { commits, dispatches }),
    ...(claimCheck && {
      claimChecks: new S3ClaimChecks({ ...claimCheck, destinations, endpoint, loadClient }),
    }),
    clock,
  };
}

/**
 * Whether a first attempt may load its saga with eventual consistency. With an embedded outbox each message
 * writes the item: the condition of that write detects an old read.
 */
export function readsEventually(saga: SagaRules | undefined, locking: LockingSettings): boolean {
  return locking.mode === 'optimistic' && (saga?.outbox !== undefined || !locking.consistentRead);
}

/** The packages of SNS, EventBridge and Scheduler are loaded with the first message that needs them. */
function routedDispatcher(
  options: EndpointOptions,
  environment: Environment,
  destinations: Destinations,
  { commits, dispatches }: Pick<Batchers, 'commits' | 'dispatches'>,
): RoutedDispatcher {
  const clock = systemClock;
  const endpoint = endpointName(options, environment);
  const topics = snsService(clientLoader('snsClient', options));
  const eventBuses = eventBridgeService(endpoint, clientLoader('eventBridgeClient', options));
  const transports = {
    queue: sharedQueueSender(options.sqsClient ?? defaultSqsClient(), clock, commits),
    topic: new Sender({ service: topics, clock, commits }),
    eventBus: new Sender({ service: eventBuses, clock, commits }),
  };
  const loadScheduler = clientLoader('schedulerClient', options);
  const settings = schedulerOf(options, environment);
  const scheduler = settings && new EventBridgeScheduler({ ...settings, loadClient: loadScheduler, clock });
  return new RoutedDispatcher({ destinations, transports, scheduler, clock, dispatches });
}

/** @throws SagaboxError `Configuration` */
export function outboxTableOf(options: SagaOutboxOptions, environment: Environment): OutboxTarget {
  return {
    table: tableOf(outboxTableSetting, options, environment),
    endpoint: endpointName(options, environment),
    deduplicationPeriodSeconds: deduplicationSeconds(options, environment),
  };
}

export function awsLocks(options: SagaOutboxOptions, environment: Environment): SagaLocks {
  const { saga, mapper = defaultMapper, dynamoDBClient: client = defaultDynamoDBClient() } = options;
  const table = tableOf(sagaTableSetting, options, environment);
  const readEmbedded = outboxParts(saga)?.readEmbedded;
  return new DynamoDBSagaLocks({ client, table, mapper, readEmbedded, clock: systemClock });
}
