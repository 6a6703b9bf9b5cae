import { defineSaga } from 'sagabox';
import * as z from 'zod';

export const accountSaga = defineSaga({
  name: 'Account',
  messages: { Booked: z.object({ account: z.string(), cents: z.number() }) },
  correlate: { Booked: (body) => body.account },
  startedBy: ['Booked'],
  initialState: () => ({ cents: 0 }),
  handlers: {
    Booked({ body }, { saga }) {
      saga.state.cents += body.cents;
    },
  },
});
