import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../../../core/storage/capacity-meter.ts';

/** The keys of a record, and its `messageId` where the search reads that. */
export type FoundItem = Readonly<Record<string, AttributeValue>>;

/** A strategy to find the undispatched records of one endpoint. */
export interface UndispatchedSearch {
  /** @param signal ends the search early, without an error, when it is aborted */
  search(storedBefore: Date, meter: CapacityMeter, signal?: AbortSignal): AsyncIterable<FoundItem>;
}
