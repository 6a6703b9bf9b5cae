import { type Design, onePhase } from '../measure/design.ts';
import { accountSaga } from './account.ts';
import { bookedCents, bookings } from './bookings.ts';

export const fifoGroups: Design = {
  title: 'Partitions: the groups of a FIFO queue',
  when: 'many sagas are busy, and none may conflict',
  notWhen:
    'a failed message must not hold up those behind it, or one group takes more than one call at a time can',
  messages: { full: 320, short: 8 },
  expected: (messages) => 5 * messages,
  before: {
    label: 'a standard queue, 8 instances',
    endpoints: () => ({ accounts: { definitions: accountSaga, maxConcurrency: 8, batchSize: 1 } }),
    phases: (messages) => onePhase(bookings(messages, () => ({ to: 'accounts' }))),
    outcome: bookedCents,
  },
  after: {
    label: 'a FIFO queue, a group for each account',
    endpoints: () => ({
      accounts: { definitions: accountSaga, maxConcurrency: 8, batchSize: 1, fifo: true },
    }),
    phases: (messages) =>
      onePhase(bookings(messages, (account) => ({ to: 'accounts', messageGroupId: account }))),
    outcome: bookedCents,
  },
};
