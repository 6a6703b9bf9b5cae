import { type Design, messagesTo, type Sent, type Stored } from '../measure/design.ts';
import { plannedSaga, racingSaga } from './delivery.ts';

const parcelsPerDelivery = 8;
const deliveriesOf = (messages: number) => Math.ceil(messages / parcelsPerDelivery);

/** The parcels of a delivery are scanned one right after another. */
function scans(messages: number): readonly Sent[] {
  return messagesTo('deliveries', 'ParcelScanned', messages, (index) => ({
    deliveryId: `delivery-${Math.floor(index / parcelsPerDelivery)}`,
    parcel: index,
  }));
}

async function parcelsOf(stored: Stored, saga: string, messages: number): Promise<number> {
  const ids = Array.from({ length: deliveriesOf(messages) }, (_, index) => `delivery-${index}`);
  const states = await Promise.all(ids.map((id) => stored.sagaState(saga, id)));
  return states.reduce<number>(
    (sum, state) => sum + ((state as { parcels: number } | undefined)?.parcels ?? 0),
    0,
  );
}

export const startBeforeRace: Design = {
  title: 'Starting a saga before the race',
  when: 'messages race to start a saga, and an earlier one knows about it',
  notWhen:
    'the endpoint is pessimistic already: sagabox leases a saga before it exists, and the message that starts it costs more',
  messages: { full: 200, short: 8 },
  expected: (messages) => messages,
  before: {
    label: 'started by the first of 8, optimistic',
    endpoints: () => ({ deliveries: { definitions: racingSaga, maxConcurrency: 8, batchSize: 1 } }),
    phases: (messages) => [{ messages: scans(messages), handled: messages }],
    outcome: (stored, messages) => parcelsOf(stored, 'RacingDelivery', messages),
    timed: 'ParcelScanned',
  },
  after: {
    label: 'started before, then pessimistic',
    endpoints: () => ({
      deliveries: {
        definitions: plannedSaga,
        options: { locking: { mode: 'pessimistic' } },
        maxConcurrency: 8,
        batchSize: 1,
      },
    }),
    phases(messages) {
      const deliveries = deliveriesOf(messages);
      const planned = messagesTo('deliveries', 'DeliveryPlanned', deliveries, (index) => ({
        deliveryId: `delivery-${index}`,
      }));
      return [
        { messages: planned, handled: deliveries },
        { messages: scans(messages), handled: messages },
      ];
    },
    outcome: (stored, messages) => parcelsOf(stored, 'PlannedDelivery', messages),
    timed: 'ParcelScanned',
  },
};
