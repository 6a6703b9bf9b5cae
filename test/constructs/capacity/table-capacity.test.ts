import { describe, expect, it } from '@jest/globals';
import { Lazy } from 'aws-cdk-lib';
import { MessagingTable, OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import type { AutoscaledCapacity } from '../../../lib/constructs/capacity/autoscaled-capacity.ts';
import type { TableWorkload } from '../../../lib/constructs/capacity/table-capacity.ts';
import { policyTargets, propertiesOf, scalingLimits, unbundledStack, violationsOf } from '../support.ts';

const TABLE = 'AWS::DynamoDB::Table';
const fine: AutoscaledCapacity = { minCapacity: 1, maxCapacity: 1 };

/** Takes 1 RCU and 2 WCU of the saga table, 1 RCU and 3 WCU of the outbox table, for each message. */
const message = { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 };
const orders = { message, messagesPerSecond: 70, peakMessagesPerSecond: 140 };

/** The settings that a table with this capacity reports. */
function violationsOfTable(capacity: TableCapacity): string[] {
  const stack = unbundledStack();
  new MessagingTable(stack, 'Table', { capacity });
  const found = violationsOf(stack).matchAll(/^ *\[Test\/Table\] ([^:]+):/gm);
  return [...found].map(([, setting = '']) => setting);
}

describe.each(Object.entries({ SagaTable, OutboxTable, MessagingTable }))(
  'the capacity of a %s',
  (_name, AnyTable) => {
    it('is on demand and without maxima by default', () => {
      const stack = unbundledStack();
      new AnyTable(stack, 'Table');
      expect(propertiesOf(stack, TABLE)).toMatchObject({ BillingMode: 'PAY_PER_REQUEST' });
      expect(propertiesOf(stack, TABLE).OnDemandThroughput).toBeUndefined();
      expect(scalingLimits(stack)).toEqual({});
    });

    it.each([
      [{ maxReadRequestUnits: 500 }, { MaxReadRequestUnits: 500 }],
      [{ maxWriteRequestUnits: 1 }, { MaxWriteRequestUnits: 1 }],
      [
        { maxReadRequestUnits: 500, maxWriteRequestUnits: 2_000 },
        { MaxReadRequestUnits: 500, MaxWriteRequestUnits: 2_000 },
      ],
    ])('is on demand up to %j', (maxima, throughput) => {
      const stack = unbundledStack();
      new AnyTable(stack, 'Table', { capacity: TableCapacity.onDemand(maxima) });
      expect(propertiesOf(stack, TABLE)).toMatchObject({ BillingMode: 'PAY_PER_REQUEST' });
      expect(propertiesOf(stack, TABLE).OnDemandThroughput).toEqual(throughput);
    });

    it('is scaled between its limits, by a utilisation of its own or of 70 %', () => {
      const stack = unbundledStack();
      new AnyTable(stack, 'Table', {
        capacity: TableCapacity.provisioned({
          read: { minCapacity: 5, maxCapacity: 50 },
          write: { minCapacity: 10, maxCapacity: 400, targetUtilizationPercent: 55 },
        }),
      });
      expect(propertiesOf(stack, TABLE)).toMatchObject({
        ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 10 },
      });
      expect(scalingLimits(stack)).toEqual({
        'table:ReadCapacityUnits': [5, 50],
        'table:WriteCapacityUnits': [10, 400],
      });
      expect(policyTargets(stack)).toEqual({
        DynamoDBReadCapacityUtilization: 70,
        DynamoDBWriteCapacityUtilization: 55,
      });
    });

    it('may be known only at deployment', () => {
      const stack = unbundledStack();
      const units = {
        minCapacity: Lazy.number({ produce: () => 7 }),
        maxCapacity: Lazy.number({ produce: () => 9 }),
      };
      new AnyTable(stack, 'Table', { capacity: TableCapacity.provisioned({ read: units, write: fine }) });
      expect(scalingLimits(stack)).toMatchObject({ 'table:ReadCapacityUnits': [7, 9] });
    });

    it('can be warm from the start', () => {
      const stack = unbundledStack();
      const warmThroughput = { readUnitsPerSecond: 20_000, writeUnitsPerSecond: 8_000 };
      new AnyTable(stack, 'Table', { warmThroughput });
      expect(propertiesOf(stack, TABLE).WarmThroughput).toEqual({
        ReadUnitsPerSecond: 20_000,
        WriteUnitsPerSecond: 8_000,
      });
    });
  },
);

describe('provisioned capacity', () => {
  it.each<[AutoscaledCapacity, string | undefined]>([
    [fine, 'nothing'],
    [{ minCapacity: 2, maxCapacity: 2 }, 'nothing'],
    [{ minCapacity: 2, maxCapacity: 1 }, 'maxCapacity'],
    [{ minCapacity: 2 } as AutoscaledCapacity, 'maxCapacity'],
    [{ maxCapacity: 2 } as AutoscaledCapacity, 'minCapacity'],
    [{ minCapacity: 0, maxCapacity: 5 }, 'minCapacity'],
    [{ minCapacity: 1.5, maxCapacity: 5 }, 'minCapacity'],
    [{ minCapacity: Number.POSITIVE_INFINITY, maxCapacity: 5 }, 'minCapacity'],
    [{ minCapacity: 1, maxCapacity: Number.NaN }, 'maxCapacity'],
    [{ ...fine, targetUtilizationPercent: 19 }, 'targetUtilizationPercent'],
    [{ ...fine, targetUtilizationPercent: 20 }, 'nothing'],
    [{ ...fine, targetUtilizationPercent: 90 }, 'nothing'],
    [{ ...fine, targetUtilizationPercent: 91 }, 'targetUtilizationPercent'],
  ])('of %j is refused for: %s', (capacity, report) => {
    const field = report === 'nothing' ? undefined : report;
    for (const [side, options] of [
      ['read', { read: capacity, write: fine }],
      ['write', { read: fine, write: capacity }],
    ] as const) {
      const found = violationsOfTable(TableCapacity.provisioned(options));
      expect(found).toEqual(field === undefined ? [] : [`capacity.${side}.${field}`]);
    }
  });
});

it('everything that is wrong with a capacity is reported at once', () => {
  const capacity = TableCapacity.provisioned({
    read: { minCapacity: 0, maxCapacity: 0, targetUtilizationPercent: 91 },
    write: undefined as unknown as AutoscaledCapacity,
  });
  expect(violationsOfTable(capacity)).toEqual([
    'capacity.write',
    'capacity.read.minCapacity',
    'capacity.read.maxCapacity',
    'capacity.read.targetUtilizationPercent',
  ]);
});

describe('on-demand capacity', () => {
  it.each([
    [0, 'refused'],
    [1, 'taken'],
    [1.5, 'refused'],
    [Number.NaN, 'refused'],
  ])('with a maximum of %d is %s', (units, result) => {
    const refused = result === 'refused';
    for (const field of ['maxReadRequestUnits', 'maxWriteRequestUnits']) {
      const found = violationsOfTable(TableCapacity.onDemand({ [field]: units }));
      expect(found).toEqual(refused ? [`capacity.${field}`] : []);
    }
  });
});

describe('capacity for a workload', () => {
  const limitsFor = (Table: typeof SagaTable | typeof OutboxTable, capacity: TableCapacity) => {
    const stack = unbundledStack();
    new Table(stack, 'Table', { capacity });
    return scalingLimits(stack);
  };

  it.each([
    ['SagaTable', SagaTable, [100, 300], [200, 600]],
    ['OutboxTable', OutboxTable, [100, 300], [300, 900]],
  ])(
    'of a %s is from what the average needs to half more than what the peak needs',
    (_name, Table, read, write) => {
      const limits = limitsFor(Table, TableCapacity.forWorkload(orders));
      expect(limits).toEqual({ 'table:ReadCapacityUnits': read, 'table:WriteCapacityUnits': write });
    },
  );

  it('has the target utilisation of the workload', () => {
    const stack = unbundledStack();
    const workload = { ...orders, targetUtilizationPercent: 35 };
    new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(workload) });
    expect(scalingLimits(stack)).toMatchObject({ 'table:ReadCapacityUnits': [200, 600] });
    expect(policyTargets(stack)).toEqual({
      DynamoDBReadCapacityUtilization: 35,
      DynamoDBWriteCapacityUtilization: 35,
    });
  });

  it.each([
    [1, [100, 200], [200, 400]],
    [1.1, [100, 220], [200, 440]],
    [100, [100, 20_000], [200, 40_000]],
  ])('with a headroom of %d goes up to that many times what the peak needs', (headroom, read, write) => {
    expect(limitsFor(SagaTable, TableCapacity.forWorkload(orders, { headroom }))).toEqual({
      'table:ReadCapacityUnits': read,
      'table:WriteCapacityUnits': write,
    });
  });

  it.each([0.99, 100.1, Number.NaN])('with a headroom of %d is refused', (headroom) => {
    expect(violationsOfTable(TableCapacity.forWorkload(orders, { headroom }))).toEqual(['capacity.headroom']);
  });

  it('is that of sagas and outbox together when they share the table', () => {
    const shared = TableCapacity.forWorkload({ ...orders, sharedTable: true });
    for (const Table of [SagaTable, OutboxTable]) {
      expect(limitsFor(Table, shared)).toEqual({
        'table:ReadCapacityUnits': [200, 600],
        'table:WriteCapacityUnits': [500, 1_500],
      });
    }
  });

  it('adds up the workloads of the endpoints that share the table, at the lowest of their target utilisations', () => {
    const half = {
      ...orders,
      messagesPerSecond: 35,
      peakMessagesPerSecond: 35,
      targetUtilizationPercent: 35,
    };
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload([orders, half], { headroom: 1 }) });
    expect(scalingLimits(stack)).toEqual({
      'table:ReadCapacityUnits': [200 + 100, 400 + 100],
      'table:WriteCapacityUnits': [400 + 200, 800 + 200],
    });
    expect(policyTargets(stack)).toMatchObject({ DynamoDBReadCapacityUtilization: 35 });
  });

  it.each<[string, typeof SagaTable | typeof OutboxTable, TableWorkload, string]>([
    ['no sagas', SagaTable, { ...orders, message: { outgoing: 1 } }, 'capacity.workload[0]: '],
    [
      'no outbox',
      OutboxTable,
      [orders, { ...orders, message: { sagaBytes: 1, outbox: false } }],
      'capacity.workload[1]: ',
    ],
    ['no messages', SagaTable, { ...orders, messagesPerSecond: Number.NaN }, 'messagesPerSecond'],
  ])('of %s is refused', (_name, Table, workload, text) => {
    const stack = unbundledStack();
    new Table(stack, 'Table', { capacity: TableCapacity.forWorkload(workload) });
    expect(violationsOf(stack)).toContain(text);
  });

  it('of no endpoint at all is refused', () => {
    expect(violationsOfTable(TableCapacity.forWorkload([]))).toEqual(['capacity.workload']);
  });
});
