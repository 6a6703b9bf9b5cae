import type { Request } from '@middy/core';
import { SagaboxError } from '../../kernel/errors/errors.ts';

/**
 * Fails a request that another middleware ends within its session: Middy then calls no hook of the outer
 * middlewares, and so none of ours, and the caller would be answered as if all were committed. Middy sets
 * `earlyResponse`, which a request does not have before, so that its prototype can refuse it. An accessor of
 * the request itself would make all of its properties slow.
 *
 * @param openIn the id of the session that is open in a request; undefined if none is
 * @returns a function to call with a request when its session opens
 */
export function earlyEndRefusal<Refused extends Request>(
  openIn: (request: Refused) => string | undefined,
): (request: Refused) => void {
  const prototype = new Proxy(Object.prototype, {
    set(target, name, value, request: Refused) {
      const messageId = name === 'earlyResponse' ? openIn(request) : undefined;
      if (messageId === undefined) return Reflect.set(target, name, value, request);
      throw new SagaboxError('CommitSkipped', { messageId }, { cause: request.error });
    },
  });
  return (request) => {
    Object.setPrototypeOf(request, prototype);
  };
}
