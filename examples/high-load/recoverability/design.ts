import { type Design, messagesTo, onePhase, type Variant } from '../measure/design.ts';
import { auctionSaga, patientPolicy } from './auction.ts';

/** A queue whose messages should be in the dead-letter queue soon when their handler fails. */
const endpoint = { definitions: auctionSaga, maxConcurrency: 16, batchSize: 1, maxReceiveCount: 2 } as const;
const work: Pick<Variant, 'phases' | 'outcome'> = {
  phases: (messages) =>
    onePhase(
      messagesTo('auctions', 'BidPlaced', messages, (index) => ({ auctionId: 'vase', cents: 100 + index })),
    ),
  outcome: (stored) => stored.sagaState('Auction', 'vase'),
};

export const recoverabilityForConflicts: Design = {
  title: 'Recoverability for conflicts',
  when: 'conflicts use up the deliveries of a message',
  notWhen:
    'the conflicts are permanent: retries hide a saga that is too hot, and take the time of the function',
  messages: { full: 200, short: 6 },
  expected: (messages) => ({ bids: messages, highest: 99 + messages }),
  before: {
    label: '1 immediate retry, 2 deliveries',
    endpoints: () => ({
      auctions: { ...endpoint, options: { recoverability: { immediateRetries: { maxRetries: 1 } } } },
    }),
    ...work,
  },
  after: {
    label: 'up to 30 immediate retries of conflicts',
    endpoints: () => ({
      auctions: {
        ...endpoint,
        options: {
          recoverability: {
            policy: patientPolicy,
            immediateRetries: { baseDelay: { milliseconds: 50 }, maxDelay: { milliseconds: 400 } },
          },
        },
      },
    }),
    ...work,
  },
};
