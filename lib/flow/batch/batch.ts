import { mapConcurrently } from '../../core/async/map-concurrently.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import { describeError } from '../../core/failures/failure-facts.ts';
import { messageGroupIdOf, queueArnOf } from '../../core/incoming/record-fields.ts';
import { isNotConfigured } from './not-configured.ts';

/** One record of a batch, as the batch sees it. */
export interface BatchRecord {
  readonly messageId: string;
  readonly attributes?: { readonly MessageGroupId?: string | undefined };
  readonly eventSourceARN?: string;
}

/** How a record ended: it is acknowledged, or returned to its queue. */
export type RecordOutcome = 'acknowledged' | Returned;

export interface Returned {
  /** The visibility timeout to set, in seconds; undefined for that of the queue. */
  readonly retryInSeconds: number | undefined;
  /**
   * It was delivered for the last time: SQS moves it to the dead letter queue rather than deliver it again.
   */
  readonly leavesQueue?: boolean;
  /**
   * Set if the failure may be an outage: not for conflicts, delays that a policy asked for, or records that
   * were not started.
   */
  readonly failure?: unknown;
}

export interface ReturnedRecord<R> extends Returned {
  readonly record: R;
}

/**
 * Runs each record of a batch by itself, several at a time; records of one FIFO group one after another.
 *
 * @param run ends a record; what it throws returns that record only
 * @returns the records to return, with those behind them in the same FIFO group. These are not run, and come
 *   back at the same time, so that their order holds when SQS delivers them again. Those behind one that
 *   leaves the queue are run: it does not come back to be ahead of them, and to return them would only use up
 *   their deliveries.
 */
export async function processBatch<R extends BatchRecord>(
  records: readonly R[],
  concurrency: number,
  run: (record: R) => Promise<RecordOutcome>,
): Promise<ReturnedRecord<R>[]> {
  const returned = await mapConcurrently(lanesOf(records), concurrency, (lane) => runLane(lane, run));
  return returned.flat();
}

async function runLane<R>(
  lane: readonly R[],
  run: (record: R) => Promise<RecordOutcome>,
): Promise<ReturnedRecord<R>[]> {
  const returned: ReturnedRecord<R>[] = [];
  for (const [index, record] of lane.entries()) {
    const outcome = await outcomeOf(record, run);
    if (outcome === 'acknowledged') continue;
    returned.push({ ...outcome, record });
    if (!outcome.leavesQueue) return [...returned, ...unstarted(lane.slice(index + 1), outcome)];
  }
  return returned;
}

/** Those behind one that is returned, which come back with it; they have not failed. */
function unstarted<R>(records: readonly R[], { retryInSeconds }: Returned): ReturnedRecord<R>[] {
  return records.map((record) => ({ retryInSeconds, record }));
}

async function outcomeOf<R>(record: R, run: (record: R) => Promise<RecordOutcome>): Promise<RecordOutcome> {
  try {
    return await run(record);
  } catch (error) {
    return { retryInSeconds: undefined, failure: error };
  }
}

const NAMED_FAILURES = 5;

/**
 * The error that the invocation throws, so that Lambda counts it: a missing setting or, if the option asks
 * for it, a batch in which every record failed.
 */
export function batchError(
  returned: readonly Returned[],
  records: number,
  throwOnFullBatchFailure: boolean,
): SagaboxError | undefined {
  // A handler may throw undefined.
  const failures = returned.flatMap((each) => ('failure' in each ? [each.failure] : []));
  const notConfigured = failures.find(isNotConfigured);
  if (notConfigured) return notConfigured;
  if (!throwOnFullBatchFailure || failures.length < records) return undefined;
  const codes = [...new Set(failures.map((failure) => describeError(failure).code))];
  const named = codes.length > NAMED_FAILURES ? [...codes.slice(0, NAMED_FAILURES), '…'] : codes;
  return new SagaboxError('BatchFailed', { failed: records, failures: named }, { cause: failures[0] });
}

function lanesOf<R extends BatchRecord>(records: readonly R[]): R[][] {
  const lanes = new Map<string, R[]>();
  for (const record of records) {
    // Standard queues carry a group too, when a producer sets one for fair queues: there it implies no order.
    const group = queueArnOf(record)?.endsWith('.fifo') ? messageGroupIdOf(record) : undefined;
    const name = group === undefined ? `record ${record.messageId}` : `group ${group}`;
    const lane = lanes.get(name);
    if (lane) lane.push(record);
    else lanes.set(name, [record]);
  }
  return [...lanes.values()];
}
