import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context as LambdaContext } from 'aws-lambda';
import { type OutboxSessionContext, type OutboxSessionOptions, outboxSession } from 'sagabox';
import { type Sends, sendEntries } from './entry.ts';
import { markOf } from './mark.ts';
import { leaseDurationMs } from './modes.ts';
import { identity, type PlannedRequest, requestEvent, requestTypes } from './request.ts';

export interface SessionsOptions {
  readonly markTable: string;
  /** With {@link identity}. */
  readonly session: OutboxSessionOptions;
  /** Whether requests of the mixed type are exclusive here, and those that wait for another one wait for long. */
  readonly isExclusive: boolean;
  /** Whether this run of a handler is to fail. */
  readonly fails: () => boolean;
}

export type Response = APIGatewayProxyStructuredResultV2;

/** An API function: answers a request of that type, with that idempotency key. */
export type Respond = (type: string, key: string, body: string, context: LambdaContext) => Promise<Response>;

/** As for sagas: what a killed worker has leased is free again soon, and some handlers take longer. */
const leaseDuration = { milliseconds: leaseDurationMs };
/** One that outlasts a lease, and in the other workers one that a handler outlasts: its client gets a 409. */
const waitTimeouts = { long: { seconds: 3 }, short: { milliseconds: 50 } };

/**
 * Applies each request in three ways, which commit together or not at all: to a mark of its own that counts, by
 * what it sends, and by its response. Each run of the handler names itself in all of them, so that another
 * answer to a repeated request shows, and so does what was sent by a run that did not commit.
 */
export function sessions({ markTable, session, isExclusive, fails }: SessionsOptions): Respond {
  async function handle(
    event: ReturnType<typeof requestEvent>,
    { send, transaction }: OutboxSessionContext,
  ): Promise<Response> {
    const id = identity.idempotencyKey(event) ?? '';
    const { writes, pauseMs, ...sends } = JSON.parse(event.body) as PlannedRequest;
    const attempt = randomUUID();
    if (writes) transaction.add(markOf(markTable, id, attempt));
    sendEntries(send, id, attempt, sends);
    await delay(pauseMs);
    if (fails()) throw new Error('The handler failed');
    // Nothing of it may be committed either.
    return responseOf(id, attempt, fails() ? 500 : 201, sends);
  }

  const api = (options: OutboxSessionOptions) => middy(handle as never).use(outboxSession(options));
  const sideBySide = api(session);
  const waitTimeout = isExclusive ? waitTimeouts.long : waitTimeouts.short;
  const oneAtATime = api({ ...session, exclusive: { leaseDuration, waitTimeout } });
  const functions = new Map<string, typeof sideBySide>([
    [requestTypes.sideBySide, sideBySide],
    [requestTypes.exclusive, oneAtATime],
    [requestTypes.mixed, isExclusive ? oneAtATime : sideBySide],
  ]);
  // A session leaves its mark on the context of its invocation.
  return async (type, key, body, context) =>
    (await functions.get(type)?.(requestEvent(key, body) as never, { ...context } as never)) as Response;
}

function responseOf(id: string, attempt: string, statusCode: number, { fillingBytes }: Sends): Response {
  return {
    statusCode,
    headers: { location: `/requests/${id}` },
    cookies: [`attempt=${attempt}`],
    // A large one is stored in its compressed form.
    body: JSON.stringify({ attempt, filling: 'ab'.repeat(fillingBytes / 2) }),
  };
}
