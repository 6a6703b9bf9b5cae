import type { Ports } from '../attempt/ports.ts';
import { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { mapConcurrently } from '../kernel/async/map-concurrently.ts';
import { settled } from '../kernel/async/settle.ts';
import { type Lease, newLease } from '../kernel/lease.ts';
import type { OutboxRecord } from '../outbox/record.ts';
import { markDispatched, OutboxDispatch, type RecordPorts, readRecord } from '../pipeline/dispatch.ts';
import { postponed } from './postponement.ts';
import { type RelayResult, relayFailure } from './relay-result.ts';
import type { ClaimOutcome, FoundRecord, UndispatchedRecords } from './undispatched-records.ts';

export interface RelayPorts extends RecordPorts, Pick<Ports, 'dispatcher' | 'clock'> {
  readonly undispatched: UndispatchedRecords;
}

export interface RelaySettings {
  /** The minimum age of a record to relay: the function that stored a younger one may still dispatch it. */
  readonly olderThanMs: number;
  /** How long a record stays out of the reach of other runs: longer than its dispatch takes. */
  readonly leaseDurationMs: number;
  /** The number of records at a time. */
  readonly concurrency: number;
  /** Whether records that an earlier run postponed are tried before their time. */
  readonly includePostponed: boolean;
  /** Returns another owner at each call. */
  readonly newLeaseOwner: () => string;
  /** Once aborted, no further record is started; those in progress are saved and released. */
  readonly signal: AbortSignal;
  /** Lets a piece of work wait for its turn; @default at once */
  readonly inTurn?: (work: () => Promise<void>) => Promise<void>;
  /** Called for each record that was dispatched, or could not be; its errors are ignored. */
  readonly onRecord?: (messageId: string, result: Readonly<RelayResult>) => void | Promise<void>;
}

/** The state of a run. */
interface Run {
  readonly ports: RelayPorts;
  readonly settings: RelaySettings;
  readonly meter: CapacityMeter;
  readonly result: RelayResult;
  /** Whether the run was aborted before all found records were settled: the next run takes the others. */
  isCutOff: boolean;
  /** The records that the run found and has not settled. */
  readonly unsettled: Set<FoundRecord>;
}

/**
 * Dispatches and marks the outbox records that dead functions left undispatched. Each is taken under a lease,
 * so that two runs at once do not double the work, and succeeds or fails by itself.
 *
 * ```text
 *  find ─► claim ─► read ─► dispatch ─► mark ─► unlist
 *            │        │         └─► failed: what was sent is kept, the rest postponed, and told
 *            │        └─► failed: released, and told
 *            └─► held by another run, or postponed: left alone; settled by now: unlisted
 * ```
 *
 * Never throws: the result has what was done so far, and the error that ended the search.
 */
export async function relayRecords(ports: RelayPorts, settings: RelaySettings): Promise<RelayResult> {
  const meter = new CapacityMeter();
  const result: RelayResult = {
    found: 0,
    dispatched: 0,
    held: 0,
    postponed: 0,
    settled: 0,
    failed: [],
    complete: false,
    searchError: undefined,
    capacity: meter.total,
  };
  const run: Run = { ports, settings, meter, result, isCutOff: false, unsettled: new Set() };
  const { concurrency, inTurn = (work) => work() } = settings;
  await mapConcurrently(foundBy(run), concurrency, (found) => inTurn(() => settleOne(run, found)));
  const oldest = oldestOf([...run.unsettled].map(({ storedAt }) => storedAt));
  return {
    ...result,
    ...(oldest && { oldestStoredAt: oldest }),
    complete: result.complete && !run.isCutOff,
    capacity: meter.total,
  };
}

/** The oldest of the valid dates; `undefined` if there is none. */
export function oldestOf(dates: readonly Date[]): Date | undefined {
  const times = dates.map((date) => date.getTime()).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : new Date(times.reduce((a, b) => Math.min(a, b)));
}

/** Ends if the search fails, rather than throws, so that the records in progress are awaited. */
async function* foundBy({ ports, settings, meter, result, unsettled }: Run): AsyncGenerator<FoundRecord> {
  const { olderThanMs, signal } = settings;
  const storedBefore = new Date(ports.clock.now().getTime() - olderThanMs);
  try {
    if (signal.aborted) return;
    for await (const found of ports.undispatched.find(storedBefore, meter, signal)) {
      unsettled.add(found);
      if (signal.aborted) return;
      result.found += 1;
      yield found;
    }
    result.complete = !signal.aborted;
  } catch (error) {
    result.searchError = error;
  }
}

async function settleOne(run: Run, found: FoundRecord): Promise<void> {
  const { result } = run;
  if (run.settings.signal.aborted) {
    run.isCutOff = true;
    return;
  }
  try {
    const outcome = await relayOne(run, found);
    if (outcome === undefined) {
      run.isCutOff = true;
      return;
    }
    if (outcome === 'dispatched' || outcome === 'settled') {
      // Only now: a record that was not seen marked stays on the list.
      await run.ports.undispatched.unlist(found, run.meter);
      run.unsettled.delete(found);
    }
    result[outcome] += 1;
    if (outcome !== 'dispatched') return;
  } catch (error) {
    result.failed.push(relayFailure(found.messageId, error));
  }
  await tell(run, found);
}

/** Calls `onRecord`, after the outcome of the record was counted. */
async function tell({ settings, result }: Run, { messageId }: FoundRecord): Promise<void> {
  try {
    await settings.onRecord?.(messageId, result);
  } catch {
    // The callback cannot affect the result.
  }
}

async function relayOne(
  run: Run,
  reference: FoundRecord,
): Promise<Exclude<ClaimOutcome, 'claimed'> | 'dispatched' | undefined> {
  const { ports, settings, meter } = run;
  const { undispatched } = ports;
  const now = ports.clock.now();
  const lease = newLease(settings.newLeaseOwner(), now, settings.leaseDurationMs);
  const claim = await undispatched.claim(reference, lease, now, meter, settings);
  if (claim !== 'claimed') return claim;
  // Only after the claim: another run could have dispatched a record that was read earlier.
  const found = await settled(readRecord(ports, reference, meter));
  if (found.status === 'rejected') {
    // A lease that cannot be released expires by itself.
    await settled(undispatched.release(reference, lease, meter));
    throw found.reason;
  }
  if (found.value === undefined || found.value.dispatched) return 'settled';
  return await dispatchOrPostpone(run, found.value, lease);
}

async function dispatchOrPostpone(
  { ports, meter, settings: { signal } }: Run,
  record: OutboxRecord,
  lease: Lease,
): Promise<'dispatched' | undefined> {
  const { undispatched, clock } = ports;
  const dispatch = new OutboxDispatch(ports, record, { meter, signal });
  try {
    await dispatch.sendRest();
    await markDispatched(ports, dispatch.record, { meter, signal });
    return 'dispatched';
  } catch (error) {
    if (signal.aborted) {
      // The record has not failed: the next run goes on where this one ended.
      await dispatch.saveProgress();
      await settled(undispatched.release(record, lease, meter));
      return undefined;
    }
    const wait = postponed(lease, record.storedAt, clock.now());
    await settled(undispatched.postpone(dispatch.record, wait, meter, dispatch.unsaved));
    throw error;
  }
}
