type Work = (signal: AbortSignal) => Promise<unknown>;

/**
 * Does several things at the same time. When one fails the others are aborted, and nothing runs any more when
 * this rejects.
 *
 * @throws what failed first
 */
export async function runTogether<const All extends readonly Work[]>(
  signal: AbortSignal,
  all: All,
): Promise<{ -readonly [Key in keyof All]: Awaited<ReturnType<All[Key]>> }> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const results = await Promise.allSettled(
    all.map(async (work) => {
      try {
        return await work(either);
      } catch (error) {
        // The first reason stays.
        failure.abort(error);
        throw error;
      }
    }),
  );
  failure.signal.throwIfAborted();
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    -readonly [Key in keyof All]: Awaited<ReturnType<All[Key]>>;
  };
}
