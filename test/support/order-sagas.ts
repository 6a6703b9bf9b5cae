import { defineSaga } from 'sagabox';
import { z } from 'zod';

const byId = (body: { readonly id: string }) => body.id;
const idOnly = z.object({ id: z.string() });

/** The smallest saga that there is. */
export const placedSaga = defineSaga({
  name: 'Order',
  messages: { Placed: idOnly },
  correlate: { Placed: byId },
  startedBy: ['Placed'],
  initialState: () => ({}),
  handlers: { Placed() {} },
});

/** A saga with a message that does not start it. */
export const paidSaga = defineSaga({
  name: 'Order',
  messages: { Placed: idOnly, Paid: idOnly },
  correlate: { Placed: byId, Paid: byId },
  startedBy: ['Placed'],
  initialState: () => ({ paid: false }),
  handlers: { Placed() {}, Paid() {} },
});
