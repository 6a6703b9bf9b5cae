/**
 * A signal for work that several share: aborted when all of theirs are, and never where one has none.
 *
 * @returns undefined when it could never be aborted
 */
export function allAborted(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  if (given.length < signals.length) return undefined;
  if (given.length === 1) return given[0];
  const controller = new AbortController();
  let waiting = given.length;
  const abortLast = (reason: unknown) => {
    waiting -= 1;
    if (waiting === 0) controller.abort(reason);
  };
  for (const signal of given) {
    if (signal.aborted) abortLast(signal.reason);
    else signal.addEventListener('abort', () => abortLast(signal.reason), { once: true });
  }
  return controller.signal;
}
