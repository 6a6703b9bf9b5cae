import { randomUUID } from 'node:crypto';
import { sharedBatchers } from '../../adapters/dynamodb/calls/batchers.ts';
import { searchByIndex } from '../../adapters/dynamodb/relay/undispatched-index.ts';
import { DynamoDBUndispatchedRecords } from '../../adapters/dynamodb/relay/undispatched-records.ts';
import { searchByScan } from '../../adapters/dynamodb/relay/undispatched-scan.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import { configurationError } from '../../core/failures/errors.ts';
import { describeValue } from '../../core/failures/thrown.ts';
import { isRelayStrategy, type RelayStrategy, relayDefaults } from '../../core/outbox/relay-defaults.ts';
import type { RelaySettings } from '../../flow/relay/relay.ts';
import { outboxOf } from '../aws-ports.ts';
import { defaultDynamoDBClient } from '../clients.ts';
import { configureFlow } from '../configure-flow.ts';
import { usesRelayIndex } from '../sending-settings.ts';
import { durationMs, type Environment, jsonSetting, positiveNumber, wholeNumber } from '../settings.ts';
import type { RelayOutboxOptions } from './relay-options.ts';

export type Relay = ReturnType<typeof configureRelay>;

/**
 * The relay of one endpoint, on AWS.
 *
 * @returns `settings`: all but what belongs to one run
 * @throws SagaboxError `Configuration` for a setting that is missing or wrong
 */
export function configureRelay(options: RelayOutboxOptions, environment: Environment = process.env) {
  const configured = relaySettings(options, environment);
  const { endpoint, ports } = configureFlow(options, environment);
  const { clock } = ports;
  const client = options.dynamoDBClient ?? defaultDynamoDBClient();
  const outbox = outboxOf(options, environment);
  const parts = { client, outbox, clock, random: Math.random };
  const search =
    configured.strategy === 'index' ? searchByIndex(parts) : searchByScan({ ...parts, ...configured });
  const { reads } = sharedBatchers(client, clock);
  const undispatched = new DynamoDBUndispatchedRecords({ client, outbox, search, reads });
  const settings: Omit<RelaySettings, 'signal' | 'onRecord'> = { ...configured, newLeaseOwner: randomUUID };
  return { endpoint, configured, ports: { ...ports, undispatched }, settings };
}

/** @throws SagaboxError `Configuration` */
export function relaySettings(options: RelayOutboxOptions, environment: Environment) {
  const stated = statedIn(environment);
  const { olderThanSeconds } = stated;
  const olderThan =
    options.olderThan ??
    (olderThanSeconds === undefined ? relayDefaults.olderThan : { seconds: Number(olderThanSeconds) });
  const maxReadUnitsPerSecond =
    options.maxReadUnitsPerSecond ??
    Number(stated.maxReadUnitsPerSecond ?? relayDefaults.maxReadUnitsPerSecond);
  const {
    segments = relayDefaults.segments,
    concurrency = relayDefaults.concurrency,
    leaseDuration = relayDefaults.leaseDuration,
    includePostponed = relayDefaults.includePostponed,
  } = options;
  return {
    strategy: strategyOf(options, environment, stated.strategy),
    olderThanMs: durationMs('olderThan', olderThan),
    leaseDurationMs: durationMs('leaseDuration', leaseDuration, { min: 1 }),
    maxReadUnitsPerSecond: positiveNumber('maxReadUnitsPerSecond', maxReadUnitsPerSecond),
    segments: wholeNumber('segments', segments, 1),
    concurrency: wholeNumber('concurrency', concurrency, 1),
    includePostponed,
  };
}

type StatedRelay = Partial<Record<'olderThanSeconds' | 'strategy' | 'maxReadUnitsPerSecond', unknown>>;

function statedIn(environment: Environment): StatedRelay {
  const remedy = 'Set it to { olderThanSeconds, strategy, maxReadUnitsPerSecond }, as the construct does';
  const stated = jsonSetting('relay', environment, remedy) ?? {};
  if (typeof stated === 'object' && !Array.isArray(stated)) return stated;
  throw configurationError(environmentVariables.relay, 'it is not an object', remedy);
}

function strategyOf(options: RelayOutboxOptions, environment: Environment, stated: unknown): RelayStrategy {
  const fallback = usesRelayIndex(options, environment) ? 'index' : 'scan';
  const strategy = options.strategy ?? stated ?? fallback;
  if (isRelayStrategy(strategy)) return strategy;
  throw configurationError('strategy', `it is ${describeValue(strategy)}`, "Use 'index' or 'scan'");
}
