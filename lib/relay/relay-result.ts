import type { CapacityUnits } from '../dynamodb/capacity-meter.ts';
import { thrownMessage } from '../kernel/errors/thrown.ts';
import { failureCode } from '../messages/failures/failure-facts.ts';

/** An outbox record that a later run tries again. */
export interface RelayFailure {
  readonly messageId: string;
  /** The code of a `SagaboxError`, an error's name, or `Unknown` for a thrown value that is no error. */
  readonly code: string;
  readonly message: string;
}

/** The result of one run of the relay for an endpoint. */
export interface RelayResult {
  /** Outbox records that the search found. */
  found: number;
  /** Records that this run dispatched and marked. */
  dispatched: number;
  /** Records under the lease of another run. */
  held: number;
  /** Records postponed by an earlier run that could not dispatch them. */
  postponed: number;
  /** Records that another process has dispatched since they were found. */
  settled: number;
  readonly failed: RelayFailure[];
  /** The time when the oldest record was stored that is still undispatched after the run, if there is one. */
  oldestStoredAt?: Date;
  /** Whether the search ended and left nothing over; if not, the next run may find more. */
  complete: boolean;
  /** Why the search ended early. */
  searchError: unknown;
  /** The capacity that DynamoDB reported for this run. */
  readonly capacity: CapacityUnits;
}

/** The result of one run of the relay: for all its endpoints together, and for each. */
export interface RelayRunResult extends Readonly<RelayResult> {
  readonly endpoints: Readonly<Record<string, Readonly<RelayResult>>>;
  /**
   * The number of undispatched records of each endpoint that the relay was not given, as found by the scan of
   * a relay of several endpoints. The relay leaves them alone.
   */
  readonly unknownEndpoints: Readonly<Record<string, number>>;
}

export function relayFailure(messageId: string, error: unknown): RelayFailure {
  return { messageId, code: failureCode(error), message: thrownMessage(error) };
}
