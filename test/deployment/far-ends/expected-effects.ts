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
/** Of the endpoint that the update brings: of orders that were placed before it, or beside it, at most once. */
export const archivedStep = 'archived';
/** What arrives in the queues of others. */
export const farEndTypes = ['OrderAccepted', 'PrintLabel', 'OrderDone'] as const;

const sampleEffects = ['charge', 'shipment', 'OrderFulfilled message', 'completion of the saga'] as const;

/** An order, and the effects that it must have, and may have. */
export interface ExpectedOrder {
  readonly orderId: string;
  readonly effects: readonly string[];
  readonly possible: readonly string[];
}

export function expectedOfProof(orderId: string, placedAfterUpdate: boolean): ExpectedOrder {
  const always = [...ledgerSteps, ...farEndTypes];
  return {
    orderId,
    effects: placedAfterUpdate ? [...always, archivedStep] : always,
    possible: placedAfterUpdate ? [] : [archivedStep],
  };
}

export function expectedOfSample(orderId: string): ExpectedOrder {
  return { orderId, effects: sampleEffects, possible: [] };
}
