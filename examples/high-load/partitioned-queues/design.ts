import { accountSaga } from '../fifo-groups/account.ts';
import { bookedCents, bookings } from '../fifo-groups/bookings.ts';
import { type Design, onePhase } from '../measure/design.ts';
import { partitionNames, partitionOf } from './partition-of.ts';

export const partitionedQueues: Design = {
  title: 'Partitions: standard queues with one consumer each',
  when: 'the same, without a FIFO queue',
  notWhen: 'a FIFO queue will do: there are as many groups as sagas, and their number is not fixed',
  messages: { full: 320, short: 8 },
  expected: (messages) => 5 * messages,
  before: {
    label: 'one queue, 4 instances, batches of 10',
    endpoints: () => ({ accounts: { definitions: accountSaga, maxConcurrency: 4 } }),
    phases: (messages) => onePhase(bookings(messages, () => ({ to: 'accounts' }))),
    outcome: bookedCents,
  },
  after: {
    label: '4 queues, 1 instance each, batches of 10',
    endpoints: () =>
      Object.fromEntries(
        partitionNames.map((name) => [name, { definitions: accountSaga, maxConcurrency: 1 }]),
      ),
    phases: (messages) => onePhase(bookings(messages, (account) => ({ to: partitionOf(account) }))),
    outcome: bookedCents,
  },
};
