import { randomUUID } from 'node:crypto';
import { sharedBatchers } from '../../adapters/dynamodb/calls/batchers.ts';
import {
  searchByIndex,
  type UndispatchedIndexOptions,
} from '../../adapters/dynamodb/relay/undispatched-index.ts';
import {
  DynamoDBUndispatchedRecords,
  type UndispatchedSearch,
} from '../../adapters/dynamodb/relay/undispatched-records.ts';
import { searchByScan } from '../../adapters/dynamodb/relay/undispatched-scan.ts';
import type { RelayPorts, RelaySettings } from '../../flow/relay/relay.ts';
import type { Clock } from '../../ports.ts';
import { outboxOf } from '../aws-ports.ts';
import { defaultDynamoDBClient } from '../clients.ts';
import { configureFlow } from '../configure-flow.ts';
import type { Environment } from '../settings.ts';
import type { RelayOutboxOptions } from './relay-options.ts';
import { type ConfiguredRelay, relaySettings } from './relay-settings.ts';

/** The relay of one endpoint, on AWS. */
export interface Relay {
  readonly endpoint: string;
  readonly configured: ConfiguredRelay;
  readonly ports: RelayPorts;
  /** All but what belongs to one run. */
  readonly settings: Omit<RelaySettings, 'signal' | 'onRecord'>;
}

/** @throws SagaboxError `Configuration` for a setting that is missing or wrong */
export function configureRelay(options: RelayOutboxOptions, environment: Environment = process.env): Relay {
  const configured = relaySettings(options, environment);
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
  { strategy, maxReadUnitsPerSecond, segments }: ConfiguredRelay,
  parts: UndispatchedIndexOptions & { clock: Clock },
): UndispatchedSearch {
  if (strategy === 'index') return searchByIndex(parts);
  return searchByScan({ ...parts, maxReadUnitsPerSecond, segments });
}
