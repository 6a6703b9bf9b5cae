import pMap from 'p-map';

/** One record of a batch, as the batch sees it. */
export interface BatchRecord {
  readonly messageId: string;
  readonly attributes?: { readonly MessageGroupId?: string | undefined };
  readonly eventSourceARN?: string;
}

/**
 * Runs each record of a batch by itself, several at a time; records of one FIFO group one after another.
 *
 * @param run ends a record; what it throws fails that record only, and those behind it in the same FIFO group, which are
 *   not run, so that their order holds when SQS delivers them again
 * @returns the records that failed
 */
export async function processBatch<R extends BatchRecord>(
  records: readonly R[],
  concurrency: number,
  run: (record: R) => Promise<void>,
): Promise<R[]> {
  const failed = await pMap(lanesOf(records), (lane) => runLane(lane, run), { concurrency });
  return failed.flat();
}

async function runLane<R>(lane: readonly R[], run: (record: R) => Promise<void>): Promise<readonly R[]> {
  for (const [index, record] of lane.entries()) {
    try {
      await run(record);
    } catch {
      return lane.slice(index);
    }
  }
  return [];
}

function lanesOf<R extends BatchRecord>(records: readonly R[]): R[][] {
  const lanes = new Map<string, R[]>();
  for (const record of records) {
    // Standard queues carry a group too, when a producer sets one for fair queues: there it implies no order.
    const group = record.eventSourceARN?.endsWith('.fifo') ? record.attributes?.MessageGroupId : undefined;
    const lane = group === undefined ? `record ${record.messageId}` : `group ${group}`;
    lanes.set(lane, [...(lanes.get(lane) ?? []), record]);
  }
  return [...lanes.values()];
}
