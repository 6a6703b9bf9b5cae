import { mapConcurrently } from '../core/map-concurrently.ts';
import { messageGroupIdOf, queueArnOf } from '../core/record-fields.ts';

/** One record of a batch, as the batch sees it. */
export interface BatchRecord {
  readonly messageId: string;
  readonly attributes?: { readonly MessageGroupId?: string | undefined };
  readonly eventSourceARN?: string;
}

/** How a record ended: it is acknowledged, or returned to its queue. */
export type RecordOutcome = 'acknowledged' | Returned;

export interface Returned {
  /** When SQS is to deliver it again; nothing for the queue's own visibility timeout. */
  readonly retryInSeconds: number | undefined;
  /** It was delivered for the last time: SQS moves it to the dead letter queue rather than deliver it again. */
  readonly leavesQueue?: boolean;
}

export interface ReturnedRecord<R> extends Returned {
  readonly record: R;
}

/**
 * Runs each record of a batch by itself, several at a time; records of one FIFO group one after another.
 *
 * @param run ends a record; what it throws returns that record only
 * @returns the records to return, with those behind them in the same FIFO group. These are not run, and come back at the
 *   same time, so that their order holds when SQS delivers them again. Those behind one that leaves the queue are run: it
 *   does not come back to be ahead of them, and to return them would only use up their deliveries.
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
    if (!outcome.leavesQueue) {
      return [...returned, ...lane.slice(index).map((left) => ({ ...outcome, record: left }))];
    }
    returned.push({ ...outcome, record });
  }
  return returned;
}

async function outcomeOf<R>(record: R, run: (record: R) => Promise<RecordOutcome>): Promise<RecordOutcome> {
  try {
    return await run(record);
  } catch {
    return { retryInSeconds: undefined };
  }
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
