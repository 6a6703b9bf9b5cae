import type { Outbox } from '../../attempt/attempt.ts';
import { recordsOutbox } from './records-outbox.ts';

/** Keeps nothing: no record can exist, and none is written. */
export const noOutbox: Outbox = {
  ...recordsOutbox,
  isKept: false,
  commitEmpty: async (_attempt, _openedSaga, lease) => await lease?.release(),
};
