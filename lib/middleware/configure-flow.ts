import { randomUUID } from 'node:crypto';
import { assertNoRenamedVariables } from '../core/checks/renamed-settings.ts';
import { configurationError } from '../core/failures/errors.ts';
import type { Sending } from '../core/outgoing/sending.ts';
import { type LockingSettings, lockingSettings } from '../core/saga/locking.ts';
import type { Flow, PessimisticLocks } from '../flow/attempt.ts';
import type { Ports, SagaLocks } from '../ports.ts';
import { awsLocks, awsPorts } from './aws-ports.ts';
import type { SagaOutboxOptions } from './options.ts';
import { sendingOf, usesRelayIndex } from './sending-settings.ts';
import { type Environment, endpointName } from './settings.ts';

/**
 * The flow of an endpoint, by its options and the environment.
 *
 * @throws SagaboxError `Configuration` for a setting that is missing or wrong
 */
export function configureFlow(options: SagaOutboxOptions, environment: Environment = process.env): Flow {
  const { saga, outbox = true, logger = console } = options;
  assertNoRenamedVariables(environment);
  const locking = lockingSettings(options.locking);
  return {
    endpoint: endpointName(options, environment),
    sending: flowSending(options, environment),
    saga,
    outbox,
    relayIndex: usesRelayIndex(options, environment),
    hooks: options,
    logger,
    ports: options.ports ?? awsPorts(options, environment, locking),
    readsEventually: locking.mode === 'optimistic' && !locking.consistentRead,
    pessimistic: saga && pessimisticLocks(options, environment, locking),
  };
}

/**
 * Without a claim check among the given ports, no body is stored in the bucket, whatever is configured for
 * AWS.
 */
function flowSending(options: SagaOutboxOptions, environment: Environment): Sending {
  const sending = sendingOf(options, environment);
  return options.ports && !options.ports.claimChecks
    ? { ...sending, claimCheckThresholdBytes: undefined }
    : sending;
}

function pessimisticLocks(
  options: SagaOutboxOptions,
  environment: Environment,
  settings: LockingSettings,
): PessimisticLocks | undefined {
  if (settings.mode !== 'pessimistic') return undefined;
  const locks = options.ports ? givenLocks(options.ports) : awsLocks(options, environment);
  return {
    settings,
    locks,
    lastFound: new Map(),
    random: Math.random,
    newLeaseOwner: randomUUID,
  };
}

function givenLocks({ locks }: Ports): SagaLocks {
  if (locks) return locks;
  throw configurationError(
    'ports',
    'they have no locks, which the pessimistic mode needs',
    "Give 'locks' too, or use the optimistic mode",
  );
}
