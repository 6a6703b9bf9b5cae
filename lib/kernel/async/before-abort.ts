/** One listener for all waits costs less than one each; a WeakMap would keep them for too long. */
const waits = Symbol('sagabox.waits');

type AwaitedSignal = AbortSignal & { [waits]?: Set<(reason: unknown) => void> };

/**
 * What the work comes to; once the signal is aborted, it is no longer waited for, and may go on.
 *
 * @throws what the work throws, or the signal's reason
 */
export function beforeAbort<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<Awaited<T>> {
  const working = Promise.resolve(work) as Promise<Awaited<T>>;
  if (signal === undefined) return working;
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<T>>();
  const rejects = waitsOf(signal);
  rejects.add(reject);
  void working.then(resolve, reject).then(() => rejects.delete(reject));
  if (signal.aborted) reject(signal.reason);
  return promise;
}

function waitsOf(signal: AwaitedSignal): Set<(reason: unknown) => void> {
  if (signal[waits]) return signal[waits];
  const rejects = new Set<(reason: unknown) => void>();
  signal[waits] = rejects;
  const rejectAll = () => {
    for (const reject of rejects) reject(signal.reason);
  };
  signal.addEventListener('abort', rejectAll, { once: true });
  return rejects;
}
