import { type Design, onePhase, type Phases, type Sent, type Stored } from '../measure/design.ts';
import { campaignSaga, orderSaga } from './sagas.ts';

const options = { locking: { mode: 'pessimistic' } } as const;

/** Each order uses a coupon of one campaign. The coupons come first. */
function phases(messages: number, campaigns: string): Phases {
  const sent = Array.from({ length: messages }, (_, index): Sent[] => [
    { to: campaigns, type: 'CouponUsed', body: { campaignId: 'spring' } },
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
  notWhen: 'the saga takes little of the traffic: a second queue, function and set of alarms are to be run.',
  messages: { full: 100, short: 4 },
  expected: (messages) => ({ campaign: { used: messages }, charges: messages }),
  before: {
    label: 'one endpoint, 4 instances',
    endpoints: () => ({
      orders: { definitions: [orderSaga, campaignSaga], options, maxConcurrency: 4, batchSize: 1 },
    }),
    sinks: ['billing'],
    phases: (messages) => phases(messages, 'orders'),
    outcome,
    timed: 'OrderPlaced',
  },
  after: {
    label: 'two endpoints, 2 instances each',
    endpoints: () => ({
      orders: { definitions: orderSaga, maxConcurrency: 2, batchSize: 1 },
      campaigns: { definitions: campaignSaga, options, maxConcurrency: 2, batchSize: 1 },
    }),
    sinks: ['billing'],
    phases: (messages) => phases(messages, 'campaigns'),
    outcome,
    timed: 'OrderPlaced',
  },
};
