import { toSeconds } from '../kernel/duration.ts';
import type { MessagePlan } from './message-shape.ts';
import { wholeShape } from './shape-defaults.ts';
import type { Workload, WorkloadPlan } from './workload.ts';
import { workloadDefaults } from './workload-defaults.ts';

/** Source: "Amazon DynamoDB item sizes and formats": what the storage of an item takes besides the item. */
const INDEX_OVERHEAD_BYTES = 100;

/** What is kept of handled messages; ids alone if the items of their sagas hold them. */
export function keptOutbox(workload: Workload, message: MessagePlan): WorkloadPlan['outbox'] {
  const { messagesPerSecond, deduplicationPeriod = workloadDefaults.deduplicationPeriod } = workload;
  const { outbox, layout, duplicateRate } = wholeShape(workload.message);
  const ids = outbox ? messagesPerSecond * (1 - duplicateRate) * toSeconds(deduplicationPeriod) : 0;
  const { dispatchedRecordBytes: bytes } = message;
  const hasRecords = layout !== 'embedded' || message.storedItemBytes.length > 0;
  return hasRecords
    ? { records: ids, bytes: ids * (bytes + INDEX_OVERHEAD_BYTES) }
    : { records: 0, bytes: ids * bytes };
}
