import { describe, expect, it } from '@jest/globals';
import { killPlan } from './kill-plan.ts';

/** Once a function that runs sessions was killed. */
const afterSession = (...others: [string, number][]) => new Map([['ProofStore-PlaceOrder', 1], ...others]);

describe('the plan of kills', () => {
  it('leaves the sample alone in a short run', () => {
    expect(killPlan(3)('OrderFulfilment-Orders', afterSession())).toBe(false);
    expect(killPlan(3)('ProofStore-Orders', afterSession())).toBe(true);
  });

  it('begins with a function that runs sessions', () => {
    expect(killPlan(3)('ProofStore-Orders', new Map())).toBe(false);
    expect(killPlan(3)('ProofStore-PlaceOrderByUrl', new Map())).toBe(true);
  });

  it('gives functions that run sessions a third of the kills, over all of them', () => {
    expect(killPlan(3)('ProofStore-PlaceOrderByUrl', afterSession())).toBe(false);
    expect(killPlan(4)('ProofStore-PlaceOrderByUrl', afterSession())).toBe(true);
    expect(killPlan(6)('ProofStore-PlaceOrder', new Map([['ProofStore-PlaceOrderByUrl', 2]]))).toBe(false);
  });

  it('gives the sample a quarter of the kills, over all its functions', () => {
    const mayKill = killPlan(8);
    expect(mayKill('OrderFulfilment-Orders', afterSession(['OrderFulfilment-Billing', 1]))).toBe(true);
    expect(mayKill('OrderFulfilment-Orders', afterSession(['OrderFulfilment-Billing', 2]))).toBe(false);
    expect(mayKill('OrderFulfilment-Orders', afterSession(['ProofStore-Billing', 5]))).toBe(true);
  });

  it('keeps one kill for the watcher of the proof, and no more', () => {
    expect(killPlan(3)('ProofStore-OrdersRelayWatcher', afterSession())).toBe(true);
    expect(killPlan(3)('ProofStore-OrdersRelayWatcher', afterSession(['ProofStore-Watcher', 1]))).toBe(false);
    expect(killPlan(3)('OrderFulfilment-RelayWatcher', afterSession())).toBe(false);
    expect(killPlan(3)('ProofStore-Orders', afterSession(['ProofStore-Orders', 1]))).toBe(false);
    expect(killPlan(3)('ProofStore-Orders', afterSession(['ProofStore-OrdersRelayWatcher', 1]))).toBe(true);
    expect(killPlan(2)('ProofStore-OrdersRelayWatcher', afterSession())).toBe(false);
  });

  it('leaves functions alone that no queue feeds', () => {
    expect(killPlan(8)('ProofStore-OrdersRelay', afterSession())).toBe(false);
    expect(killPlan(8)('ProofStore-CustomResource', afterSession())).toBe(false);
  });
});
