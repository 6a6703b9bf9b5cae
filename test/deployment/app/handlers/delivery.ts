/** A process that takes a step back: a van is reserved, and given back when there is no driver. */
import { compensate, defineContract, defineHandlers } from 'sagabox';
import { object, string } from 'valibot';
import { hasDriver } from '../../far-ends/expected-effects.ts';
import { countStep } from './count-step.ts';

const order = object({ orderId: string() });

const fleet = defineContract(
  'parcels',
  { ReserveVan: order, ReleaseVan: order, BookDriver: order },
  { replies: { VanReserved: order, VanReleased: order, DriverBooked: order, DriverDeclined: order } },
);

interface Facts {
  readonly request: { readonly orderId: string };
}

const asked = { body: ({ request }: Facts) => request, timeout: { minutes: 20 } } as const;
const toFleet = { ...asked, to: fleet } as const;

export const deliverySaga = compensate({
  name: 'ProofDelivery',
  startedBy: { DeliveryAsked: order },
  correlate: ({ orderId }) => orderId,
  steps: {
    van: {
      ...toFleet,
      command: 'ReserveVan',
      completedBy: 'VanReserved',
      compensation: { ...asked, command: 'ReleaseVan', completedBy: 'VanReleased' },
    },
    driver: {
      ...toFleet,
      command: 'BookDriver',
      completedBy: 'DriverBooked',
      declinedBy: 'DriverDeclined',
    },
  },
  onCompleted({ request }, { transaction }) {
    transaction.add(countStep(request.orderId, 'delivered'));
  },
  onCompensated({ request }, { transaction }) {
    transaction.add(countStep(request.orderId, 'delivery given up'));
  },
});

/** The service of its steps. */
export const fleetHandlers = defineHandlers({
  messages: fleet.messages,
  replies: [fleet],
  handlers: {
    ReserveVan({ body }, { reply, transaction }) {
      transaction.add(countStep(body.orderId, 'van reserved'));
      reply('VanReserved', body);
    },
    ReleaseVan({ body }, { reply, transaction }) {
      transaction.add(countStep(body.orderId, 'van released'));
      reply('VanReleased', body);
    },
    BookDriver({ body }, { reply, transaction }) {
      transaction.add(countStep(body.orderId, 'driver asked'));
      reply(hasDriver(body.orderId) ? 'DriverBooked' : 'DriverDeclined', body);
    },
  },
});
