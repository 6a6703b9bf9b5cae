import { describe, expect, it } from '@jest/globals';
import { type Stack, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { type MessageShape, planMessage, planWorkload, pricesOf, type Workload } from 'sagabox/capacity';
import { type MessagingTableProps, OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import type { TablePlan } from '../../../lib/capacity/workload.ts';
import { provisioned } from '../../support/provisioned.ts';
import { propertiesOf, unbundledStack } from '../support.ts';

const TABLE = 'AWS::DynamoDB::Table';
const INDEX_WRITES = 'dynamodb:index:WriteCapacityUnits';
const TABLE_WRITES = 'dynamodb:table:WriteCapacityUnits';
const HOURS_PER_MONTH = 730;

/** Takes 1 RCU and 3 WCU of the outbox table, and 2 WCU of its index. */
const message: MessageShape = { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 };
const orders = { message, messagesPerSecond: 200, peakMessagesPerSecond: 600 };
const indexed = { ...orders, message: { ...message, relayIndex: true } };

const peak = { start: Schedule.cron({ hour: '8' }), end: Schedule.cron({ hour: '20' }) };

function indexedOutbox(capacity: TableCapacity, props: MessagingTableProps = {}) {
  const stack = unbundledStack();
  return { stack, outbox: new OutboxTable(stack, 'Outbox', { relayIndex: true, capacity, ...props }) };
}

interface Throughput {
  readonly ReadCapacityUnits: number;
  readonly WriteCapacityUnits: number;
}

/** What is deployed at minimum, of the table and of its index. */
function deployed(stack: Stack): { table: Throughput; index: Throughput } {
  const [resource] = Object.values(Template.fromStack(stack).findResources(TABLE));
  const { ProvisionedThroughput: table, GlobalSecondaryIndexes: indexes } = resource?.Properties ?? {};
  return { table, index: indexes[0].ProvisionedThroughput };
}

function targetOf(stack: Stack, dimension: string) {
  const targets = Template.fromStack(stack).findResources('AWS::ApplicationAutoScaling::ScalableTarget', {
    Properties: { ScalableDimension: dimension },
  });
  return Object.values(targets)[0]?.Properties;
}

describe('the relay index of a table that is made for a workload', () => {
  it('scales by its own part of the plan, and the table by its own', () => {
    const { stack } = indexedOutbox(TableCapacity.forWorkload(orders));
    expect(deployed(stack)).toEqual({
      table: { ReadCapacityUnits: 286, WriteCapacityUnits: 858 },
      index: { ReadCapacityUnits: 5, WriteCapacityUnits: 572 },
    });
    expect(targetOf(stack, TABLE_WRITES)).toMatchObject({ MinCapacity: 858, MaxCapacity: 3_858 });
    expect(targetOf(stack, INDEX_WRITES)).toMatchObject({ MinCapacity: 572, MaxCapacity: 2_573 });
  });

  it('is as warm as its table', () => {
    const warmThroughput = { readUnitsPerSecond: 9_000, writeUnitsPerSecond: 5_000 };
    const { stack } = indexedOutbox(TableCapacity.forWorkload(orders), { warmThroughput });
    expect(propertiesOf(stack, TABLE)).toMatchObject({
      GlobalSecondaryIndexes: [{ WarmThroughput: { WriteUnitsPerSecond: 5_000 } }],
    });
  });

  it.each<[string, readonly Workload[], number]>([
    ['a workload', [orders], 572],
    ['all workloads of the table', [orders, { ...orders, messagesPerSecond: 100 }], 572 + 286],
  ])(
    'has its part of %s, and is in the price of what is deployed at minimum',
    (_of, workloads, writeUnits) => {
      const { stack, outbox } = indexedOutbox(TableCapacity.forWorkload(workloads));
      const { table, index } = deployed(stack);
      // The searches of all relays share the same reads.
      expect(index).toEqual({ ReadCapacityUnits: 5, WriteCapacityUnits: writeUnits });
      const reads = table.ReadCapacityUnits + index.ReadCapacityUnits;
      const writes = table.WriteCapacityUnits + index.WriteCapacityUnits;
      const { perReadUnitHour = 0, perWriteUnitHour = 0 } = pricesOf('us-east-1') ?? {};
      const expected = HOURS_PER_MONTH * (reads * perReadUnitHour + writes * perWriteUnitHour);
      expect(outbox.workloadPlan?.monthlyCost.provisioned).toBeCloseTo(expected, 6);
    },
  );

  it('adds to the price of a month what it takes, once', () => {
    const { onDemand } = planWorkload(indexed).monthlyCost;
    const { perMillionReadRequestUnits = 0, perMillionWriteRequestUnits = 0 } = pricesOf('us-east-1') ?? {};
    const { rcu, wcu } = planMessage(indexed.message).perMessage;
    const messages = (200 * HOURS_PER_MONTH * 3_600) / 1e6;
    expect(onDemand).toBeCloseTo(
      messages * (rcu * perMillionReadRequestUnits + wcu * perMillionWriteRequestUnits),
      6,
    );
  });

  it('is in the metadata and the output of the plan, apart from the table', () => {
    const { stack } = indexedOutbox(TableCapacity.forWorkload(orders));
    const [resource] = Object.values(Template.fromStack(stack).findResources(TABLE));
    expect(resource?.Metadata['sagabox:plan']).toMatchObject({
      perMessage: { rcu: 1, wcu: 3 },
      average: { rcu: 200, wcu: 600 },
      index: {
        average: { rcu: 0, wcu: 400 },
        peak: { rcu: 0, wcu: 1_200 },
        provisioned: provisioned([5, 5], [572, 1_715]),
      },
    });
    const [output] = Object.values(Template.fromStack(stack).findOutputs('*'));
    expect(output?.Value).toContain('the relay index takes 2 WCU more, provisioned 572 to 1715 WCU/s');
  });

  it('is that of a table that is shared with sagas', () => {
    const stack = unbundledStack();
    const capacity = TableCapacity.forWorkload({ ...orders, sharedTable: true });
    new SagaTable(stack, 'Both', { relayIndex: true, capacity });
    const { table, index } = deployed(stack);
    expect(table.WriteCapacityUnits).toBe(1_429);
    expect(index.WriteCapacityUnits).toBe(572);
  });

  it('is that of sagas with an embedded outbox in a table of their own', () => {
    const stack = unbundledStack();
    const message = { ...orders.message, layout: 'embedded' } as const;
    const capacity = TableCapacity.forWorkload({ ...orders, message });
    const table = new SagaTable(stack, 'Sagas', { relayIndex: true, capacity });
    const planned = planWorkload({ ...orders, message: { ...message, sagaRelayIndex: true } });
    expect(table.workloadPlan?.index).toEqual((planned.tables as { saga: TablePlan }).saga.index);
    expect(deployed(stack).index.WriteCapacityUnits).toBe(572);
  });

  it('takes as much as the table where no plan tells its part', () => {
    const stack = unbundledStack();
    const capacity = TableCapacity.forWorkload(orders);
    new SagaTable(stack, 'Sagas', { relayIndex: true, capacity });
    const { table, index } = deployed(stack);
    expect(index.WriteCapacityUnits).toBe(table.WriteCapacityUnits);
  });

  it('takes as much as the table where its writes are given', () => {
    const capacity = TableCapacity.provisioned({
      read: { minCapacity: 50, maxCapacity: 500 },
      write: { minCapacity: 10, maxCapacity: 400 },
    });
    const { stack } = indexedOutbox(capacity);
    expect(deployed(stack).index).toEqual({ ReadCapacityUnits: 5, WriteCapacityUnits: 10 });
    expect(targetOf(stack, INDEX_WRITES)).toMatchObject({ MinCapacity: 10, MaxCapacity: 400 });
  });

  it.each([
    ['those of the plan', undefined, 1_715, 2_573],
    ['its share of those that are given', { minCapacity: 6_000, maxCapacity: 9_000 }, 4_000, 6_000],
    ['the least there is, of few', { minCapacity: 1, maxCapacity: 6_000 }, 1, 4_000],
  ])('has at a scheduled peak %s', (_name, write, minimum, maximum) => {
    const scheduledPeaks = [{ ...peak, ...(write && { write }) }];
    const { stack } = indexedOutbox(TableCapacity.forWorkload(orders, { scheduledPeaks }));
    const actions = targetOf(stack, INDEX_WRITES)?.ScheduledActions;
    expect(actions.map((action: { ScalableTargetAction: unknown }) => action.ScalableTargetAction)).toEqual([
      { MinCapacity: minimum, MaxCapacity: maximum },
      { MinCapacity: 572, MaxCapacity: 2_573 },
    ]);
  });

  it('has the least there is for sagas with embedded outboxes in a table of their own, at a peak too', () => {
    const embedded = { ...orders, message: { ...message, layout: 'embedded' as const } };
    const scheduledPeaks = [{ ...peak, write: { minCapacity: 100, maxCapacity: 200 } }];
    const { stack } = indexedOutbox(TableCapacity.forWorkload(embedded, { scheduledPeaks }));
    expect(deployed(stack).index).toEqual({ ReadCapacityUnits: 5, WriteCapacityUnits: 1 });
    const [start] = targetOf(stack, INDEX_WRITES)?.ScheduledActions ?? [];
    expect(start.ScalableTargetAction).toEqual({ MinCapacity: 1, MaxCapacity: 1 });
  });

  it('has at a scheduled peak the units of the table when these are known at the deployment only', () => {
    const minCapacity = Token.asNumber({ resolve: () => 4_000 });
    const scheduledPeaks = [{ ...peak, write: { minCapacity, maxCapacity: 6_000 } }];
    const { stack } = indexedOutbox(TableCapacity.forWorkload(orders, { scheduledPeaks }));
    const [start] = targetOf(stack, INDEX_WRITES)?.ScheduledActions ?? [];
    expect(start.ScalableTargetAction.MinCapacity).toBe(4_000);
  });

  it('is not in what the alarms of the table compare with', () => {
    const { stack } = indexedOutbox(TableCapacity.forWorkload(orders), { capacityAlarms: true });
    const alarms = Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm', {
      Properties: { MetricName: 'ConsumedWriteCapacityUnits' },
    });
    expect(Object.values(alarms).map(({ Properties }) => Properties.Threshold)).toEqual([600 * 3 * 60 * 0.8]);
  });
});
