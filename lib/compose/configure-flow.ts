import { randomUUID } from 'node:crypto';
import type { Flow, Outbox, SagaLeases } from '../attempt/attempt.ts';
import type { Ports } from '../attempt/ports.ts';
import { configurationError } from '../kernel/errors/errors.ts';
import { noOutbox } from '../pipeline/outbox/no-outbox.ts';
import { recordsOutbox } from '../pipeline/outbox/records-outbox.ts';
import type { SagaRules } from '../saga/definition/define-saga.ts';
import { type LockingSettings, leaseSettings } from '../saga/definition/locking.ts';
import type { Environment } from '../settings/setting.ts';
import { awsLocks, awsPorts, readsEventually } from './aws-ports.ts';
import { assertCustomStore } from './custom-store-setting.ts';
import { loadedEnvironment } from './load-settings.ts';
import { loggerOf } from './logs/logger-of.ts';
import type { SagaOutboxOptions } from './options.ts';
import { outboxParts } from './outbox-parts.ts';
import { sendingOf } from './sending-settings.ts';
import { deduplicationSeconds, endpointName, lockingOf } from './settings.ts';

/**
 * Configures the flow of an endpoint from its options and the environment.
 *
 * @throws SagaboxError `Configuration` for a setting that is missing or wrong
 */
export function configureFlow(
  options: SagaOutboxOptions,
  environment: Environment = loadedEnvironment(),
): Flow {
  const { saga, tracing } = options;
  const locking = lockingOf(options, environment);
  const sending = sendingOf(options, environment);
  // Given ports without a claim check store no body in the bucket, even if one is configured for AWS.
  const storesBodies = !options.ports || options.ports.claimChecks;
  assertCustomStore(options, locking);
  const ports = options.ports ?? awsPorts(options, environment, locking);
  assertContributions(saga, ports);
  return {
    endpoint: endpointName(options, environment),
    sending: storesBodies ? sending : { ...sending, claimCheckThresholdBytes: undefined },
    saga,
    outbox: outboxOf(options, environment, ports),
    hooks: options,
    logger: loggerOf(options),
    ports: tracing ? { ...ports, dispatcher: tracing.traced(ports.dispatcher, sending.destinations) } : ports,
    readsEventually: readsEventually(saga, locking),
    deduplicationPeriodSeconds: deduplicationSeconds(options, environment),
    leases: saga && sagaLeases(options, environment, locking),
  };
}

/** A committer that does not know of contributions would lose what is appended. */
function assertContributions(saga: SagaRules | undefined, { contributions }: Ports): void {
  const hasThem = saga?.appendedBy !== undefined || saga?.collectedBy !== undefined;
  if (!hasThem || contributions) return;
  const problem = `they have no 'contributions', which the saga '${saga.name}' needs`;
  throw configurationError('ports', problem, "Give 'contributions' too, and a committer that writes them");
}

/** @throws SagaboxError `Configuration` for a saga whose embedded outbox the settings exclude */
function outboxOf(options: SagaOutboxOptions, environment: Environment, ports: Ports): Outbox {
  const { saga, outbox = true } = options;
  const parts = saga && outboxParts(saga);
  if (parts) return parts.outboxOf(saga, options, environment, ports);
  return outbox ? recordsOutbox : noOutbox;
}

/** In optimistic mode a crowd takes leases, with the default settings. A user's saga store has none. */
function sagaLeases(
  options: SagaOutboxOptions,
  environment: Environment,
  locking: LockingSettings,
): SagaLeases | undefined {
  if (options.sagaStore) return undefined;
  const isForEach = locking.mode === 'pessimistic';
  const locks = options.ports ? options.ports.locks : awsLocks(options, environment);
  if (locks) {
    const settings = isForEach ? locking : leaseSettings();
    return {
      isForEach,
      settings,
      locks,
      lastFound: new Map(),
      random: Math.random,
      newLeaseOwner: randomUUID,
    };
  }
  if (!isForEach) return undefined;
  throw configurationError(
    'ports',
    'they have no locks, which the pessimistic mode needs',
    "Give 'locks' too, or use the optimistic mode",
  );
}
