import { randomUUID } from 'node:crypto';
import { sharedBatchers } from '../adapters/dynamodb/calls/batchers.ts';
import { UndispatchedIndex } from '../adapters/dynamodb/relay/undispatched-index.ts';
import { DynamoDBUndispatchedRecords } from '../adapters/dynamodb/relay/undispatched-records.ts';
import { UndispatchedScan } from '../adapters/dynamodb/relay/undispatched-scan.ts';
import type { UndispatchedSearch } from '../adapters/dynamodb/relay/undispatched-search.ts';
import type { RecoveryPorts, RecoverySettings } from '../flow/relay/relay.ts';
import type { Clock } from '../ports.ts';
import { outboxOf } from './aws-ports.ts';
import { defaultDynamoDBClient } from './clients.ts';
import { configureFlow } from './configure-flow.ts';
import type { RecoverOutboxOptions } from './recovery-options.ts';
import { type ConfiguredRecovery, recoverySettings } from './recovery-settings.ts';
import type { Environment } from './settings.ts';

/** The recovery of one endpoint, on AWS. */
export interface Recovery {
  readonly endpoint: string;
  readonly configured: ConfiguredRecovery;
  readonly ports: RecoveryPorts;
  /** All but what belongs to one run. */
  readonly settings: Omit<RecoverySettings, 'signal' | 'onRecord'>;
}

/** @throws SagaboxError `Configuration` for a setting that is missing or wrong */
export function configureRecovery(
  options: RecoverOutboxOptions,
  environment: Environment = process.env,
): Recovery {
  const configured = recoverySettings(options, environment);
  const { endpoint, ports } = configureFlow(options, environment);
  const { clock } = ports;
  const client = options.dynamoDBClient ?? defaultDynamoDBClient();
  const outbox = outboxOf(options, environment);
  const search = searchBy(configured, { client, outbox, clock, random: Math.random });
  const { reads } = sharedBatchers(client, clock);
  return {
    endpoint,
    configured,
    ports: { ...ports, undispatched: new DynamoDBUndispatchedRecords({ client, outbox, search, reads }) },
    settings: { ...configured, newLeaseOwner: randomUUID },
  };
}

function searchBy(
  { strategy, maximumReadUnitsPerSecond, segments }: ConfiguredRecovery,
  parts: ConstructorParameters<typeof UndispatchedIndex>[0] & { clock: Clock },
): UndispatchedSearch {
  if (strategy === 'index') return new UndispatchedIndex(parts);
  return new UndispatchedScan({ ...parts, maximumReadUnitsPerSecond, segments });
}
