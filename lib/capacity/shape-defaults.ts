import { defined } from '../core/defined.ts';
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
} as const satisfies Omit<WholeShape, 'metadataBytes'>;

/** Of the published layout it is the middle of the 200 to 400 bytes that its page tells. */
export const metadataBytesDefaults = { records: 216, embedded: 216, itemized: 300 } as const;

export function wholeShape(shape: MessageShape): WholeShape {
  const layout = shape.layout ?? shapeDefaults.layout;
  const leavesSaga = (shape.appended ?? 0) > 0 && { sagaChange: 'none' as const };
  return { ...shapeDefaults, ...leavesSaga, metadataBytes: metadataBytesDefaults[layout], ...defined(shape) };
}
