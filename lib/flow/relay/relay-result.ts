import { isSagaboxError } from '../../core/failures/errors.ts';
import { isError, stringOf, thrownMessage } from '../../core/failures/thrown.ts';
import type { CapacityUnits } from '../../core/storage/capacity-meter.ts';

/** An outbox record that a later run tries again. */
export interface RelayFailure {
  readonly messageId: string;
  /** Of a SagaboxError; the name of any other error. */
  readonly code: string;
  readonly message: string;
}

/** What one run of the relay did. */
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
  /** Whether the search ended; if not, the next run may find more. */
  complete: boolean;
  /** Why the search ended early. */
  searchError: unknown;
  /** The capacity that DynamoDB reported for this run. */
  readonly capacity: CapacityUnits;
}

export function relayFailure(messageId: string, error: unknown): RelayFailure {
  const name = isError(error) ? stringOf(() => error.name) : 'Error';
  return { messageId, code: isSagaboxError(error) ? error.code : name, message: thrownMessage(error) };
}
