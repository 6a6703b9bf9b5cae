import type { MiddlewareObj, Request } from '@middy/core';
import type { Answer } from '../../session/line/session-attempt.ts';
import type { OutboxSessionContext } from '../../session/session-context.ts';
import { type RemainingMs, remainingTime } from '../remaining-time.ts';
import type { Opened, OpenSession } from './open-session.ts';
import { earlyEndRefusal } from './refuse-early-end.ts';

/** The middleware of handlers of any event, with any response. */
// biome-ignore lint/suspicious/noExplicitAny: as the middlewares of middy for all events have it
export type OutboxSessionMiddleware = MiddlewareObj<any, any, Error, OutboxSessionContext>;

type MiddyRequest = Request<unknown, unknown, Error, OutboxSessionContext>;

type OpenedSession = Exclude<Opened, { answer: Answer }>;

/**
 * Makes `outboxSession` on any sessions.
 *
 * @param flush called when a session has ended
 */
export function sessionMiddleware(
  open: OpenSession,
  flush: (remainingMs: RemainingMs) => Promise<void> = async () => {},
): OutboxSessionMiddleware {
  // Not in `request.internal`: middy 6 shares that between requests when its plugin has one.
  const running = new WeakMap<MiddyRequest, OpenedSession>();
  const refuseEarlyEnd = earlyEndRefusal((request: MiddyRequest) => running.get(request)?.session.id);

  const end = async ({ context }: MiddyRequest, { leave }: OpenedSession) => {
    await leave();
    await flush(remainingTime(context));
  };

  const before = async (request: MiddyRequest) => {
    const opened = await open(request.event, request.context);
    if ('answer' in opened) return early(opened.answer);
    running.set(request, opened);
    const answer = await opened.session.begin();
    if (answer) {
      running.delete(request);
      await end(request, opened);
      return early(answer);
    }
    Object.assign(request.context, opened.session.scope);
    refuseEarlyEnd(request);
    return undefined;
  };

  const after = async (request: MiddyRequest) => {
    const opened = running.get(request) as OpenedSession;
    const { session } = opened;
    running.delete(request);
    let response: unknown;
    try {
      // A query builder, say, does its work when it is first awaited, and middy awaits promises only.
      response = isThenable(request.response)
        ? await session.within(Promise.resolve(request.response))
        : request.response;
      request.response = (await session.commit(response)).response;
    } catch (error) {
      request.response = (await session.fail(error, response)).response;
    } finally {
      await end(request, opened);
    }
  };

  const onError = async (request: MiddyRequest) => {
    const opened = running.get(request);
    if (opened === undefined) return;
    running.delete(request);
    try {
      request.response = early(await opened.session.fail(request.error));
    } catch (error) {
      // The response that another middleware made of the error stays.
      if (error !== request.error) throw error;
    } finally {
      await end(request, opened);
    }
  };

  return { before, after, onError };
}

/** Middy takes anything but undefined for an answer, and Lambda answers `null` for both. */
function early({ response }: Answer): unknown {
  return response ?? null;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}
