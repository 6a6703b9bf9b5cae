import type { Request } from '@middy/core';
import { SagaboxError } from '../../core/failures/errors.ts';

/**
 * Fails a request that another middleware ends after its handler: Middy calls none of those outside of one that
 * returns a value from `after` or `onError`. The caller would be answered as if all were committed, and nothing
 * of ours would be called any more. But Middy sets `earlyResponse` of the request before its `response`.
 * An early answer before the handler is none of ours: there is nothing to commit.
 *
 * @param isOpen whether the session has not been ended
 */
export function refuseEarlyEnd<Response>(
  request: Request<unknown, Response>,
  requestId: string,
  isOpen: () => boolean,
): void {
  let { response } = request;
  let hasHandled = false;
  Object.defineProperty(request, 'response', {
    configurable: true,
    enumerable: true,
    get: () => response,
    set: (value: Response) => {
      const isEarly = 'earlyResponse' in request;
      if (isEarly && hasHandled && isOpen()) {
        delete request.earlyResponse;
        throw new SagaboxError('CommitSkipped', { messageId: requestId }, { cause: request.error });
      }
      hasHandled ||= !isEarly;
      response = value;
    },
  });
}
