import { createHandler, defineSaga } from 'sagabox';
import * as z from 'zod';

const account = z.string();
const cents = z.number().int().positive();

/** An account, whose bookings arrive in the order in which they were sent: one group of a FIFO queue. */
export const accountSaga = defineSaga({
  name: 'LedgerAccount',
  messages: {
    Deposited: z.object({ account, cents }),
    WithdrawalRequested: z.object({ account, cents }),
  },
  correlate: { Deposited: (body) => body.account, WithdrawalRequested: (body) => body.account },
  startedBy: ['Deposited', 'WithdrawalRequested'],
  initialState: () => ({ balance: 0 }),
  handlers: {
    Deposited({ body }, { saga }) {
      saga.state.balance += body.cents;
    },
    WithdrawalRequested({ body }, { saga, publish }) {
      if (body.cents > saga.state.balance) return publish('WithdrawalDeclined', body);
      saga.state.balance -= body.cents;
      publish('Withdrawn', body);
    },
  },
});

export const handler = createHandler(accountSaga);
