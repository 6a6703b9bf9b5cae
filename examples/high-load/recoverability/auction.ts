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

const conflicts = ['SagaConcurrency', 'TransactionConflict', 'LockTimeout'];
const maxConflicts = 30;

/** A conflict says nothing about its message, and ends by itself: it is retried for longer than a failure. */
export const patientPolicy: RecoverabilityPolicy = ({ code = '', attempts }) =>
  conflicts.includes(code) && attempts < maxConflicts ? recoverability.retryNow : recoverability.byDefault;
