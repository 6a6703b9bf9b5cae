import type { ExpectedOrder } from './expected-effects.ts';

interface Step {
  /** With the order before it. */
  readonly step: string;
  readonly version: string;
}

/** Steps that the endpoint counted whose handler is replaced by the update. */
export interface StepsByHandler {
  readonly first: number;
  readonly updated: number;
  /** By the updated handler, of orders that were placed before it was there. */
  readonly updatedOfEarlierOrders: number;
}

export const noSteps: StepsByHandler = { first: 0, updated: 0, updatedOfEarlierOrders: 0 };

const isOfReplacedHandler = ({ step }: Step) => /audited$|payment seen$/.test(step);

export function stepsByHandler(orders: readonly ExpectedOrder[], steps: readonly Step[]): StepsByHandler {
  const earlier = new Set(orders.filter(({ afterUpdate }) => !afterUpdate).map(({ orderId }) => orderId));
  const audited = steps.filter(isOfReplacedHandler);
  const updated = audited.filter(({ version }) => version === 'updated');
  return {
    first: audited.length - updated.length,
    updated: updated.length,
    updatedOfEarlierOrders: updated.filter(({ step }) => earlier.has(step.split(' ')[0] ?? '')).length,
  };
}
