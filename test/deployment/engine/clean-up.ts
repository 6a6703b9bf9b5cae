/**
 * Does the work and then each step in order, whatever the work and the other steps do.
 *
 * @throws what failed first, the work before the steps
 */
export async function cleanUpAfter<T>(work: () => Promise<T>, steps: readonly (() => unknown)[]): Promise<T> {
  const [done] = await Promise.allSettled([work()]);
  const errors: unknown[] = done.status === 'rejected' ? [done.reason] : [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return (done as PromiseFulfilledResult<Awaited<T>>).value;
}
