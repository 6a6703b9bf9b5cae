import { setTimeout as delay } from 'node:timers/promises';
import { defineHandlers, defineSaga } from 'sagabox';
import * as z from 'zod';

const order = z.object({ customer: z.string(), order: z.number() });
const approved = z.object({ customer: z.string(), ok: z.boolean() });

/** A service elsewhere that answers in 50 ms. */
async function askCreditBureau(_customer: string): Promise<boolean> {
  await delay(50);
  return true;
}

/** Waits for the credit bureau with the state in hand: who commits meanwhile makes it start over. */
export const waitingSaga = defineSaga({
  name: 'WaitingCustomer',
  messages: { OrderPlaced: order },
  correlate: { OrderPlaced: (body) => body.customer },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ approved: 0 }),
  handlers: {
    async OrderPlaced({ body }, { saga }) {
      if (await askCreditBureau(body.customer)) saga.state.approved += 1;
    },
  },
});

/** Changes its state only: the handler below waits, with no saga. */
export const customerSaga = defineSaga({
  name: 'Customer',
  messages: { CreditChecked: approved },
  correlate: { CreditChecked: (body) => body.customer },
  startedBy: ['CreditChecked'],
  initialState: () => ({ approved: 0 }),
  handlers: {
    CreditChecked({ body }, { saga }) {
      if (body.ok) saga.state.approved += 1;
    },
  },
});

export const creditChecks = defineHandlers({
  messages: { OrderPlaced: order },
  handlers: {
    async OrderPlaced({ body: { customer } }, { send }) {
      send('customers', 'CreditChecked', { customer, ok: await askCreditBureau(customer) });
    },
  },
});
