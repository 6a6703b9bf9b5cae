/** What one order of the proof's app has to cause, each exactly once, as its ledger names it. */
const ledgerSteps = [
  'requested',
  'placed',
  'noted',
  'customer known',
  'charged',
  'reserved',
  'packed',
  'parcel packed',
  'parcel sent',
  'billed',
  'stored 50000 characters',
  'invoiced',
  'reminded',
  'goods ordered',
  'accepted',
  'goods audited',
  'audited',
  'payment seen',
  'van reserved',
  'driver asked',
] as const;
/** Of the endpoint that an update adds. */
export const archivedStep = 'archived';
/** What arrives in the queues of others. */
export const farEndTypes = ['OrderAccepted', 'PrintLabel', 'OrderDone'] as const;

const sampleEffects = ['charge', 'shipment', 'OrderFulfilled message', 'completion of the saga'] as const;

/** Steps of an order that come only with its goods, which others than the store order. */
const stepsOfGoods: readonly string[] = ['goods ordered', 'goods audited', 'reserved', 'OrderDone'];
/** What an order requests, and cancels when it is done. */
export const timeout = 'ReviewDue';
/** All that are cancelled. */
export const timeouts = [timeout, 'ProofDeliveryStepTimedOut'] as const;

/** Of the other orders, the delivery is taken back. */
export function hasDriver(orderId: string): boolean {
  return Number(orderId.at(-1)) % 2 === 0;
}

/** An order, and the effects that it must have, and may have. */
export interface ExpectedOrder {
  readonly orderId: string;
  readonly effects: readonly string[];
  readonly possible: readonly string[];
  /** Timeouts that are pending, in schedules, when all effects are there. */
  readonly pendingTimeouts: readonly string[];
  /** Whether it was placed when the handler of the audit had been replaced. */
  readonly afterUpdate: boolean;
}

/** Whether what an order causes reaches the endpoint that an update adds, and another one cuts off. */
export type Archived = 'perhaps' | 'always' | 'never';

interface OrderCircumstances {
  readonly afterUpdate: boolean;
  readonly archived: Archived;
  readonly goodsOrdered?: boolean;
}

export function expectedOfProof(
  orderId: string,
  { afterUpdate, archived, goodsOrdered = true }: OrderCircumstances,
): ExpectedOrder {
  const delivery = hasDriver(orderId) ? ['delivered'] : ['van released', 'delivery given up'];
  const always = [...ledgerSteps, ...delivery, ...farEndTypes].filter(
    (effect) => goodsOrdered || !stepsOfGoods.includes(effect),
  );
  return {
    orderId,
    effects: archived === 'always' ? [...always, archivedStep] : always,
    possible: archived === 'perhaps' ? [archivedStep] : [],
    // An order that is not done waits for its review.
    pendingTimeouts: goodsOrdered ? [] : [timeout],
    afterUpdate,
  };
}

export function expectedOfSample(orderId: string): ExpectedOrder {
  return { orderId, effects: sampleEffects, possible: [], pendingTimeouts: [], afterUpdate: false };
}
