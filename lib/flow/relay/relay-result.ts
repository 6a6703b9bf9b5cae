import { isSagaboxError } from '../../core/failures/errors.ts';
import { isError, stringOf, thrownMessage } from '../../core/failures/thrown.ts';
import type { CapacityUnits } from '../../core/storage/capacity-meter.ts';

/** A record that stays in the outbox, to be tried by a later run. */
export interface RelayFailure {
  readonly messageId: string;
  /** Of a SagaboxError; the name of any other error. */
  readonly code: string;
  readonly message: string;
}

/** What one run of the relay did. */
export interface RelayResult {
  /** Records that the search came upon. */
  found: number;
  /** Dispatched and marked by this run. */
  dispatched: number;
  /** In the hands of another run. */
  held: number;
  /** Could not be dispatched by an earlier run, and are left alone until their time comes. */
  postponed: number;
  /** Dispatched by somebody else since they were found. */
  settled: number;
  readonly failed: RelayFailure[];
  /** Whether the search came to its end: otherwise there may be more, which waits for the next run. */
  complete: boolean;
  /** Why the search ended early. */
  searchError: unknown;
  /** What DynamoDB reported for the calls of this run. */
  readonly capacity: CapacityUnits;
}

export function relayFailure(messageId: string, error: unknown): RelayFailure {
  const name = isError(error) ? stringOf(() => error.name) : 'Error';
  return { messageId, code: isSagaboxError(error) ? error.code : name, message: thrownMessage(error) };
}
