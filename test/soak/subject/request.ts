import { idempotencyKeyHeader } from 'sagabox';
import { sessionRequest } from '../../../lib/session/session-request.ts';
import { httpApiEvent } from '../../support/http-events.ts';
import { endpointName, type Sends } from './entry.ts';

/** Requests that may run side by side, one at a time, and one at a time in some of the workers only. */
export const requestTypes = {
  sideBySide: 'Request',
  exclusive: 'ExclusiveRequest',
  mixed: 'MixedRequest',
} as const;

/** The body of an HTTP request, whose idempotency key is the id of its message. */
export interface PlannedRequest extends Sends {
  /** Whether its handler writes by itself. Without that, its outbox record is the only write of the commit. */
  readonly writes: boolean;
  /** How long its handler takes. */
  readonly pauseMs: number;
}

/** What sessions tell requests apart by. */
export const identity = { idempotencyKey: idempotencyKeyHeader(), scope: 'public' } as const;

/** As an HTTP API invokes its function, in payload format 2.0. */
export function requestEvent(key: string, body: string) {
  return httpApiEvent({
    path: '/requests',
    headers: { 'idempotency-key': `"${key}"` },
    body,
    authorizer: {},
  });
}

/** What the outbox record of a request is stored under. */
export function recordIdOf(key: string): string {
  const rules = { ...identity, endpoint: endpointName };
  return sessionRequest(requestEvent(key, ''), rules, {}, () => 'none').id;
}
