/**
 * A signal for work that several share: aborted when all of theirs are, and never where one has none.
 *
 * @returns undefined when it could never be aborted
 */
export function allAborted(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  if (given.length < signals.length) return undefined;
  // A relay has one for all of its records: a listener for each would stay until the end of the run.
  const distinct = [...new Set(given)];
  if (distinct.length === 1) return distinct[0];
  const controller = new AbortController();
  let waiting = distinct.length;
  const abortLast = (reason: unknown) => {
    waiting -= 1;
    if (waiting === 0) controller.abort(reason);
  };
  for (const signal of distinct) {
    if (signal.aborted) abortLast(signal.reason);
    else signal.addEventListener('abort', () => abortLast(signal.reason), { once: true });
  }
  return controller.signal;
}
