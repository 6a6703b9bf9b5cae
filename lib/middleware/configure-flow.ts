import { randomUUID } from 'node:crypto';
import { assertNoRenamedVariables } from '../core/checks/renamed-settings.ts';
import { configurationError } from '../core/failures/errors.ts';
import type { LockingSettings } from '../core/saga/locking.ts';
import type { Flow, PessimisticLocks } from '../flow/attempt.ts';
import { awsLocks, awsPorts } from './aws-ports.ts';
import { loadedEnvironment } from './load-settings.ts';
import { lockingOf } from './locking-setting.ts';
import { defaultLogger } from './logs/default-logger.ts';
import type { SagaOutboxOptions } from './options.ts';
import { recordFormOf } from './record-form-setting.ts';
import { sendingOf, usesRelayIndex } from './sending-settings.ts';
import { type Environment, endpointName } from './settings.ts';

/**
 * The flow of an endpoint, by its options and the environment.
 *
 * @throws SagaboxError `Configuration` for a setting that is missing or wrong
 */
export function configureFlow(
  options: SagaOutboxOptions,
  environment: Environment = loadedEnvironment(),
): Flow {
  const { saga, outbox = true, logger = defaultLogger(), tracing } = options;
  assertNoRenamedVariables(environment);
  const locking = lockingOf(options, environment);
  const sending = sendingOf(options, environment);
  // Given ports without a claim check store no body in the bucket, even if one is configured for AWS.
  const storesBodies = !options.ports || options.ports.claimChecks;
  const ports = options.ports ?? awsPorts(options, environment, locking);
  return {
    endpoint: endpointName(options, environment),
    sending: storesBodies ? sending : { ...sending, claimCheckThresholdBytes: undefined },
    saga,
    outbox,
    relayIndex: usesRelayIndex(options, environment),
    recordForm: recordFormOf(options, environment),
    hooks: options,
    logger,
    ports: tracing ? { ...ports, dispatcher: tracing.traced(ports.dispatcher, sending.destinations) } : ports,
    readsEventually: locking.mode === 'optimistic' && !locking.consistentRead,
    pessimistic: saga && pessimisticLocks(options, environment, locking),
  };
}

function pessimisticLocks(
  options: SagaOutboxOptions,
  environment: Environment,
  settings: LockingSettings,
): PessimisticLocks | undefined {
  if (settings.mode !== 'pessimistic') return undefined;
  const locks = options.ports ? options.ports.locks : awsLocks(options, environment);
  if (locks) return { settings, locks, lastFound: new Map(), random: Math.random, newLeaseOwner: randomUUID };
  throw configurationError(
    'ports',
    'they have no locks, which the pessimistic mode needs',
    "Give 'locks' too, or use the optimistic mode",
  );
}
