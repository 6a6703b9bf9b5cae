/**
 * What the work comes to. When the signal is aborted before that, it is waited for no longer; it may go on unheeded.
 *
 * @throws what the work throws, or the signal's reason
 */
export async function beforeAbort<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<Awaited<T>> {
  if (signal === undefined) return await work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
