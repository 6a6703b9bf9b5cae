import type { MessageShape } from '../../capacity/index.ts';
import { type WholeShape, wholeShape } from '../../capacity/shape-defaults.ts';
import type { Locking } from '../../core/saga/locking.ts';

/** The shape of the messages of a run. */
export type MeasuredShape = WholeShape;

/** A run meets no other handler, so that it takes each lease at once and meets no conflict. */
export function measuredShape(shape: MessageShape): MeasuredShape {
  return { ...wholeShape(shape), lockAttempts: 1, conflictRate: 0 };
}

export function lockingOf({ locking }: MeasuredShape): Locking {
  if (locking === 'pessimistic') return { mode: 'pessimistic' };
  return { mode: 'optimistic', consistentRead: locking === 'optimistic' };
}
