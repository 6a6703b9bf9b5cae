/** What one order of the proof's app has to cause, each exactly once, as its ledger names it. */
const ledgerSteps = [
  'placed',
  'noted',
  'customer known',
  'charged',
  'reserved',
  'packed',
  'billed',
  'stored 50000 characters',
  'invoiced',
  'reminded',
  'goods ordered',
  'accepted',
  'goods audited',
  'audited',
  'payment seen',
] as const;
/** Of the endpoint that the update adds; orders placed before it may have it once. */
export const archivedStep = 'archived';
/** What arrives in the queues of others. */
export const farEndTypes = ['OrderAccepted', 'PrintLabel', 'OrderDone'] as const;

const sampleEffects = ['charge', 'shipment', 'OrderFulfilled message', 'completion of the saga'] as const;

/** Steps of an order that come only with its goods, which others than the store order. */
const stepsOfGoods: readonly string[] = ['goods ordered', 'goods audited', 'reserved', 'OrderDone'];
const timeout = 'ReviewDue';

/** An order, and the effects that it must have, and may have. */
export interface ExpectedOrder {
  readonly orderId: string;
  readonly effects: readonly string[];
  readonly possible: readonly string[];
  /** Timeouts that are pending, in schedules, when all effects are there. */
  readonly pendingTimeouts: readonly string[];
  /** Whether it was placed when the update was deployed. */
  readonly afterUpdate: boolean;
}

export function expectedOfProof(
  orderId: string,
  { afterUpdate, goodsOrdered = true }: { readonly afterUpdate: boolean; readonly goodsOrdered?: boolean },
): ExpectedOrder {
  const always = [...ledgerSteps, ...farEndTypes].filter(
    (effect) => goodsOrdered || !stepsOfGoods.includes(effect),
  );
  return {
    orderId,
    effects: afterUpdate ? [...always, archivedStep] : always,
    possible: afterUpdate ? [] : [archivedStep],
    // An order that is not done waits for its review.
    pendingTimeouts: goodsOrdered ? [] : [timeout],
    afterUpdate,
  };
}

export function expectedOfSample(orderId: string): ExpectedOrder {
  return { orderId, effects: sampleEffects, possible: [], pendingTimeouts: [], afterUpdate: false };
}
