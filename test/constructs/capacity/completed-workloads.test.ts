import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { planWorkload, pricesOf, type RegionPrices, type Workload } from 'sagabox/capacity';
import { OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import { unbundledStack, violationsOf } from '../support.ts';

const orders: Workload = {
  message: { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 },
  messagesPerSecond: 70,
};
const ownPrices: RegionPrices = {
  ...(pricesOf('us-east-1') as RegionPrices),
  region: 'mx-north-1',
  perMillionWriteRequestUnits: 1.25,
};

function tableOf(workload: unknown, options = {}, stack: Stack = unbundledStack()): OutboxTable {
  return new OutboxTable(stack, 'Outbox', {
    capacity: TableCapacity.forWorkload(workload as Workload, options),
  });
}

function violationsWith(workload: unknown, options = {}, stack: Stack = unbundledStack()): string {
  tableOf(workload, options, stack);
  return violationsOf(stack);
}

const stackIn = (region: string) => new Stack(new App(), 'Test', { env: { region } });

describe('the workloads of a table', () => {
  it.each([
    [null, 'capacity.workload[0]: null is not an object'],
    [[orders, undefined], 'capacity.workload[1]: undefined is not an object'],
    [{ messagesPerSecond: 1 }, 'capacity.workload[0].message: it is missing'],
    [{ ...orders, message: [] }, 'capacity.workload[0].message: [] is not an object'],
    [{ ...orders, message: { outbox: false } }, 'capacity.workload[0].message: it takes no table'],
  ])('are refused with the path: %j', (workload, message) => {
    expect(violationsWith(workload)).toContain(message);
    const stack = unbundledStack();
    const capacity = TableCapacity.onDemand({ workload: workload as Workload });
    new SagaTable(stack, 'Sagas', { capacity });
    expect(violationsOf(stack)).toContain(message);
  });

  it('are refused with the problems of all of them', () => {
    const workloads = [{ ...orders, messagesPerSecond: 0 }, orders, { ...orders, message: null }];
    expect(violationsWith(workloads)).toMatch(
      /workload\[0\]\.messagesPerSecond: 0 is out of range\. .*\. workload\[2\]\.message: null is not an object/,
    );
  });

  it('are of one region', () => {
    const other = { ...orders, region: 'eu-west-1' };
    expect(violationsWith([orders, other])).toMatch(/priced in 'us-east-1' and in 'eu-west-1'/);
    expect(tableOf([other, other]).workloadPlan?.prices.region).toBe('eu-west-1');
    expect(tableOf([orders, other], {}, stackIn('eu-west-1')).workloadPlan?.prices.region).toBe('eu-west-1');
  });
});

describe('the prices of a table', () => {
  it('are those that are given', () => {
    const stack = stackIn('mx-north-1');
    const { workloadPlan } = tableOf(orders, { prices: ownPrices }, stack);
    const plan = planWorkload(
      { ...orders, message: { ...orders.message, sagaBytes: 0 } },
      { prices: ownPrices },
    );
    expect(workloadPlan?.prices).toEqual(plan.prices);
    expect(workloadPlan?.monthlyCost.onDemand).toBeGreaterThan(
      1.5 * (tableOf(orders).workloadPlan?.monthlyCost.onDemand ?? Number.NaN),
    );
    Annotations.fromStack(stack).hasNoWarning('*', Match.anyValue());
  });

  it('are given to tables on demand and with units of their own too', () => {
    const units = { minCapacity: 1, maxCapacity: 10_000 };
    for (const capacity of [
      TableCapacity.onDemand({ workload: orders, prices: ownPrices }),
      TableCapacity.provisioned({ read: units, write: units, workload: orders, prices: ownPrices }),
    ]) {
      const table = new SagaTable(unbundledStack(), 'Sagas', { capacity });
      expect(table.workloadPlan?.prices.region).toBe('mx-north-1');
    }
  });

  it('are refused when they are none, or of another region', () => {
    expect(violationsWith(orders, { prices: null })).toContain('capacity.prices: null is not an object');
    expect(violationsWith(orders, { prices: { ...ownPrices, perReadUnitHour: 0 } })).toContain(
      'capacity.prices.perReadUnitHour: 0 is out of range. Use a value above 0',
    );
    expect(violationsWith(orders, { prices: ownPrices }, stackIn('eu-west-1'))).toContain(
      "prices.region: it is 'mx-north-1', and the region of the workload is 'eu-west-1'",
    );
  });

  it('are those of another region with a warning, where those of the stack are not known', () => {
    const stack = stackIn('mx-north-1');
    expect(tableOf(orders, {}, stack).workloadPlan?.prices.region).toBe('us-east-1');
    Annotations.fromStack(stack).hasWarning(
      '/Test/Outbox',
      Match.stringLikeRegexp("The stack is in 'mx-north-1', and its plan has the prices of 'us-east-1'"),
    );
  });

  it.each(['eu-west-1', undefined])('need no warning in a stack of %s', (region) => {
    const stack = region === undefined ? unbundledStack() : stackIn(region);
    tableOf(orders, {}, stack);
    Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('prices'));
  });
});
