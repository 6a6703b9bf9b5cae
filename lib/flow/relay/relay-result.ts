import { failureCode } from '../../core/failures/failure-facts.ts';
import { thrownMessage } from '../../core/failures/thrown.ts';
import type { CapacityUnits } from '../../core/storage/capacity-meter.ts';

/** An outbox record that a later run tries again. */
export interface RelayFailure {
  readonly messageId: string;
  /** Of a SagaboxError; the name of any other error, and `Unknown` for a thrown value that is none. */
  readonly code: string;
  readonly message: string;
}

/** What one run of the relay did for an endpoint. */
export interface RelayResult {
  /** Outbox records that the search found. */
  found: number;
  /** Dispatched and marked by this run. */
  dispatched: number;
  /** Under the lease of another run. */
  held: number;
  /** Postponed by an earlier run that could not dispatch them. */
  postponed: number;
  /** Dispatched by another process since they were found. */
  settled: number;
  readonly failed: RelayFailure[];
  /** When the oldest of the records was stored that are undispatched after the run, if there are any. */
  oldestStoredAt?: Date;
  /** Whether the search ended and left nothing over; if not, the next run may find more. */
  complete: boolean;
  /** Why the search ended early. */
  searchError: unknown;
  /** The capacity that DynamoDB reported for this run. */
  readonly capacity: CapacityUnits;
}

/** What one run of the relay did: for all its endpoints together, and for each. */
export interface RelayRunResult extends Readonly<RelayResult> {
  readonly endpoints: Readonly<Record<string, Readonly<RelayResult>>>;
  /**
   * How many undispatched records the scan of a relay of several endpoints found of each endpoint that it
   * was not given. They are left alone.
   */
  readonly unknownEndpoints: Readonly<Record<string, number>>;
}

export function relayFailure(messageId: string, error: unknown): RelayFailure {
  return { messageId, code: failureCode(error), message: thrownMessage(error) };
}
