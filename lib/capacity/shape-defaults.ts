import { defined } from '../kernel/defined.ts';
import type { MessageShape } from './message-shape.ts';

/** A shape whose every property is told. */
export type WholeShape = Required<MessageShape>;

export const shapeDefaults = {
  sagaBytes: 0,
  sagaCompressionRatio: 1,
  sagaChange: 'update',
  locking: 'optimistic',
  lockAttempts: 1,
  outbox: true,
  layout: 'records',
  liveIds: 10,
  appended: 0,
  collected: 0,
  contributionBytes: 300,
  outgoing: 0,
  messageBytes: 500,
  destinations: 1,
  compressionRatio: 1,
  duplicateRate: 0,
  conflictRate: 0,
  metadataBytes: 216,
} as const satisfies WholeShape;

export function wholeShape(shape: MessageShape): WholeShape {
  const leavesSaga = (shape.appended ?? 0) > 0 && { sagaChange: 'none' as const };
  return { ...shapeDefaults, ...leavesSaga, ...defined(shape) };
}
