import { type Design, messagesTo, onePhase } from '../measure/design.ts';
import { creditChecks, customerSaga, waitingSaga } from './credit.ts';

const orders = (to: string, messages: number) =>
  messagesTo(to, 'OrderPlaced', messages, (index) => ({ customer: 'acme', order: index }));

export const ioOutside: Design = {
  title: 'I/O outside of saga handlers',
  when: 'saga handlers wait for other services',
  notWhen: 'no other message meets the saga: the message between them costs a record, a send and a delivery',
  messages: { full: 120, short: 6 },
  expected: (messages) => ({ approved: messages }),
  before: {
    label: '50 ms of I/O in the saga handler',
    endpoints: () => ({ customers: { definitions: waitingSaga, maxConcurrency: 8, batchSize: 1 } }),
    phases: (messages) => onePhase(orders('customers', messages)),
    outcome: (stored) => stored.sagaState('WaitingCustomer', 'acme'),
  },
  after: {
    label: 'I/O in a handler of its own',
    endpoints: () => ({
      // As many instances as before, in all.
      credit: { definitions: creditChecks, maxConcurrency: 4, batchSize: 1 },
      customers: { definitions: customerSaga, maxConcurrency: 4, batchSize: 1 },
    }),
    phases: (messages) => onePhase(orders('credit', messages), 2 * messages),
    outcome: (stored) => stored.sagaState('Customer', 'acme'),
  },
};
