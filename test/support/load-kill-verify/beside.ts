import { runTogether } from './run-together.ts';

/** What goes on beside a load, such as a function or somebody who kills it. Ends at the signal, without an error. */
export type Companion = (signal: AbortSignal) => Promise<void>;

/**
 * Does something while companions go on beside it, and ends them with it.
 *
 * @throws what failed first, when nothing runs any more
 */
export async function beside<T>(
  companions: readonly Companion[],
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const [result] = await runTogether(signal, [
    (own) => work(own).finally(() => over.abort()),
    ...companions.map((companion) => (own: AbortSignal) => companion(AbortSignal.any([own, over.signal]))),
  ]);
  return result;
}
