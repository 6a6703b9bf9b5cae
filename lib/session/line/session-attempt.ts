import type { Attempt, Flow } from '../../attempt/attempt.ts';
import type { Delivery } from '../../attempt/delivery.ts';
import { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { fingerprintOf } from '../../messages/fingerprint.ts';
import { messageFacts, messageLogger } from '../../observe/logs/message-logger.ts';
import type { RequestLeases } from '../../outbox/request-leases.ts';
import { requestMessage, type SessionRequest } from '../session-request.ts';

/** The rules of a session, from its options. */
export interface SessionRules {
  /** Whether an HTTP response of that status is committed and stored. */
  readonly commitsStatus: (statusCode: number) => boolean;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  /** @default - not exclusive: two requests with one key may run side by side, and one commits */
  readonly exclusive?: ExclusiveSettings | undefined;
}

export interface ExclusiveSettings {
  readonly leases: RequestLeases;
  /** @default - as long as the invocation goes on */
  readonly leaseDurationMs: number | undefined;
  /** How long a request waits for the response to the same one. */
  readonly waitTimeoutMs: number;
  /** Returns another owner at each call. */
  readonly newLeaseOwner: () => string;
}

/** The exclusive settings of one session. */
export interface ExclusiveRule extends Omit<ExclusiveSettings, 'newLeaseOwner'> {
  /** The same for all calls, to recognise a lease that an earlier call took and whose answer got lost. */
  readonly owner: string;
}

/** The one attempt at a request. */
export interface SessionAttempt extends Attempt {
  readonly request: SessionRequest;
  readonly rules: SessionRules;
  readonly exclusive: ExclusiveRule | undefined;
}

/** The response to the caller; wrapped, as it may be `undefined`. */
export interface Answer {
  readonly response: unknown;
}

export function startSessionAttempt(
  flow: Flow,
  request: SessionRequest,
  rules: SessionRules,
  { signal, delivery }: { readonly signal: AbortSignal; readonly delivery: Delivery },
): SessionAttempt {
  // Nobody waits for a request that never comes again.
  const exclusive = request.isRepeatable ? rules.exclusive : undefined;
  const startedAt = flow.ports.clock.now();
  const received = requestMessage(request, startedAt);
  return {
    flow,
    delivery,
    received,
    // Without a type: method and route are in the id, and an event that comes again may have another one.
    fingerprint: fingerprintOf({ type: '', body: request.content }),
    meter: new CapacityMeter(delivery.meter),
    startedAt,
    signal,
    logger: messageLogger(flow.logger, messageFacts(flow.endpoint, received)),
    request,
    rules,
    exclusive: exclusive && { ...exclusive, owner: exclusive.newLeaseOwner() },
  };
}
