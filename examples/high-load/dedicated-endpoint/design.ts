import { type Design, onePhase, type Phases, type Sent, type Stored } from '../measure/design.ts';
import { campaignSaga, orderSaga } from './sagas.ts';

/** The same for all, so that only the number of endpoints changes. */
const options = { locking: { mode: 'pessimistic' } } as const;

const couponsPerOrder = 4;

/** Each order uses coupons of one campaign. */
function phases(messages: number, campaigns: string): Phases {
  const coupon = { to: campaigns, type: 'CouponUsed', body: { campaignId: 'spring' } };
  const sent = Array.from({ length: messages }, (_, index): Sent[] => [
    ...Array.from({ length: couponsPerOrder }, () => coupon),
    { to: 'orders', type: 'OrderPlaced', body: { orderId: `order-${index}` } },
  ]);
  return onePhase(sent.flat());
}

async function outcome(stored: Stored) {
  const charges = await stored.bodiesIn('billing');
  return { campaign: await stored.sagaState('Campaign', 'spring'), charges: charges.length };
}

export const dedicatedEndpoint: Design = {
  title: 'A dedicated endpoint',
  when: 'other messages of the endpoint wait for the saga',
  notWhen: 'the saga takes little of the traffic: a second queue, function and set of alarms are to be run',
  messages: { full: 60, short: 2 },
  expected: (messages) => ({ campaign: { used: couponsPerOrder * messages }, charges: messages }),
  before: {
    label: 'one endpoint, 8 instances',
    endpoints: () => ({
      orders: { definitions: [orderSaga, campaignSaga], options, maxConcurrency: 8, batchSize: 1 },
    }),
    sinks: ['billing'],
    phases: (messages) => phases(messages, 'orders'),
    outcome,
    timed: 'OrderPlaced',
  },
  after: {
    label: 'two endpoints, 4 instances each',
    endpoints: () => ({
      orders: { definitions: orderSaga, options, maxConcurrency: 4, batchSize: 1 },
      campaigns: { definitions: campaignSaga, options, maxConcurrency: 4, batchSize: 1 },
    }),
    sinks: ['billing'],
    phases: (messages) => phases(messages, 'campaigns'),
    outcome,
    timed: 'OrderPlaced',
  },
};
