import { defineSaga, type RecoverabilityPolicy, recoverability } from 'sagabox';
import * as z from 'zod';

export const auctionSaga = defineSaga({
  name: 'Auction',
  messages: { BidPlaced: z.object({ auctionId: z.string(), cents: z.number() }) },
  correlate: { BidPlaced: (body) => body.auctionId },
  startedBy: ['BidPlaced'],
  initialState: () => ({ bids: 0, highest: 0 }),
  handlers: {
    BidPlaced({ body }, { saga }) {
      saga.state.bids += 1;
      saga.state.highest = Math.max(saga.state.highest, body.cents);
    },
  },
});

const unrecoverable = ['InvalidMessage', 'UnknownMessageType', 'CorrelationMissing', 'MessageIdReused'];
const conflicts = ['SagaConcurrency', 'TransactionConflict', 'LockTimeout'];
const maxConflicts = 30;

/** A conflict says nothing about its message, and ends by itself: it is retried for longer than a failure. */
export const patientPolicy: RecoverabilityPolicy = ({ code = '', attempts, receiveCount }) => {
  if (unrecoverable.includes(code)) return recoverability.errorQueue;
  if (conflicts.includes(code) && attempts < maxConflicts) return recoverability.retryNow;
  return recoverability.retryIn({ seconds: Math.min(2 ** receiveCount, 900) });
};
