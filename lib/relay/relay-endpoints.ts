import { FairSemaphore } from '../kernel/async/fair-semaphore.ts';
import { oldestOf, type RelayPorts, type RelaySettings, relayRecords } from './relay.ts';
import type { RelayResult, RelayRunResult } from './relay-result.ts';

export interface RelayedEndpoint {
  readonly endpoint: string;
  readonly ports: RelayPorts;
  /** Whether the endpoint's search left records for the next run. */
  readonly hasLeftOver?: () => boolean;
}

/**
 * Relays the records of several endpoints at the same time: a failure at one endpoint stops no other. The
 * endpoints share `concurrency`: one with many records takes what the others leave, and otherwise an equal
 * part.
 *
 * Never throws, as {@link relayRecords}.
 */
export async function relayEndpoints(
  endpoints: readonly RelayedEndpoint[],
  settings: RelaySettings,
): Promise<Omit<RelayRunResult, 'unknownEndpoints'>> {
  const semaphore = new FairSemaphore<string>(settings.concurrency);
  const results = await Promise.all(
    endpoints.map(async ({ endpoint, ports, hasLeftOver }): Promise<[string, RelayResult]> => {
      const inTurn = (work: () => Promise<void>) => semaphore.run(endpoint, work);
      const result = await relayRecords(ports, { ...settings, inTurn });
      return [endpoint, { ...result, complete: result.complete && hasLeftOver?.() !== true }];
    }),
  );
  const each = results.map(([, result]) => result);
  return { ...together(each), endpoints: Object.fromEntries(results) };
}

function together(results: readonly RelayResult[]): RelayResult {
  const sumOf = (count: (result: RelayResult) => number) =>
    results.reduce((sum, result) => sum + count(result), 0);
  const oldest = oldestOf(results.flatMap(({ oldestStoredAt }) => oldestStoredAt ?? []));
  return {
    ...(oldest && { oldestStoredAt: oldest }),
    found: sumOf(({ found }) => found),
    dispatched: sumOf(({ dispatched }) => dispatched),
    held: sumOf(({ held }) => held),
    postponed: sumOf(({ postponed }) => postponed),
    settled: sumOf(({ settled }) => settled),
    failed: results.flatMap(({ failed }) => failed),
    complete: results.every(({ complete }) => complete),
    searchError: results.find(({ searchError }) => searchError !== undefined)?.searchError,
    capacity: {
      readUnits: sumOf(({ capacity }) => capacity.readUnits),
      writeUnits: sumOf(({ capacity }) => capacity.writeUnits),
    },
  };
}
