import { describe, expect, it } from '@jest/globals';
import { killPlan } from './kill-plan.ts';

describe('the plan of kills', () => {
  it('leaves the sample alone in a short run', () => {
    expect(killPlan(3)('OrderFulfilment-Orders', new Map())).toBe(false);
    expect(killPlan(3)('ProofStore-Orders', new Map([['ProofStore-Orders', 2]]))).toBe(true);
  });

  it('gives the sample a quarter of the kills, over all its functions', () => {
    const mayKill = killPlan(8);
    expect(mayKill('OrderFulfilment-Orders', new Map([['OrderFulfilment-Billing', 1]]))).toBe(true);
    expect(mayKill('OrderFulfilment-Orders', new Map([['OrderFulfilment-Billing', 2]]))).toBe(false);
    expect(mayKill('OrderFulfilment-Orders', new Map([['ProofStore-Billing', 7]]))).toBe(true);
  });

  it('leaves functions alone that no queue feeds', () => {
    expect(killPlan(8)('ProofStore-OrdersRelay', new Map())).toBe(false);
    expect(killPlan(8)('ProofStore-CustomResource', new Map())).toBe(false);
  });
});
