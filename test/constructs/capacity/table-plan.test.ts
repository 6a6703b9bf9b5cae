import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { planWorkload } from 'sagabox/capacity';
import { MessagingTable, OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import { provisioned } from '../../support/provisioned.ts';
import { unbundledStack } from '../support.ts';

/** Takes 1 RCU and 2 WCU of the saga table, 1 RCU and 6 WCU of the outbox table, for each message. */
const message = { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 };
const orders = { message, messagesPerSecond: 70, peakMessagesPerSecond: 140 };

function metadataOf(stack: Stack, prefix: string): Record<string, unknown> {
  const tables = Object.entries(Template.fromStack(stack).findResources('AWS::DynamoDB::Table'));
  return tables.find(([id]) => id.startsWith(prefix))?.[1].Metadata ?? {};
}

describe('the plan of a table', () => {
  it('is in the metadata of its template, with the workload that it is made of', () => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(orders) });
    const { prices } = planWorkload(orders);
    const metadata = metadataOf(stack, 'Sagas');
    expect(metadata['sagabox:workload']).toEqual([orders]);
    expect(metadata['sagabox:plan']).toMatchObject({
      table: 'saga',
      messagesPerSecond: 70,
      peakMessagesPerSecond: 140,
      perMessage: { rcu: 1, wcu: 2 },
      average: { rcu: 70, wcu: 140 },
      peak: { rcu: 140, wcu: 280 },
      provisioned: provisioned([100, 200], [200, 400]),
      prices,
    });
  });

  it('of one table for both is that of the sagas and the outbox together', () => {
    const capacity = TableCapacity.forWorkload(orders);
    const stack = unbundledStack();
    const { workloadPlan } = new MessagingTable(stack, 'Both', { capacity });
    const shared = { ...orders, sharedTable: true };
    expect(metadataOf(stack, 'Both')['sagabox:workload']).toEqual([shared]);
    const { tables } = planWorkload(shared);
    expect(workloadPlan).toMatchObject({ table: 'shared', ...('shared' in tables ? tables.shared : {}) });
    expect(workloadPlan?.perMessage).toEqual({ rcu: 2, wcu: expect.any(Number) });
  });

  it('has what sagas with embedded outboxes take: of their own table, or of one for both', () => {
    const embedded = { ...message, layout: 'embedded', sagaCompressionRatio: 0.6 } as const;
    const stack = unbundledStack();
    const capacity = TableCapacity.forWorkload({ ...orders, message: embedded });
    const sagas = new SagaTable(stack, 'Sagas', { capacity });
    expect(sagas.workloadPlan).toMatchObject({ table: 'saga', perMessage: { rcu: 0.5, wcu: 4 } });
    const outbox = new OutboxTable(stack, 'Outbox', { capacity });
    expect(outbox.workloadPlan).toMatchObject({ perMessage: { rcu: 0, wcu: 0 } });
    const both = new MessagingTable(stack, 'Both', { capacity });
    expect(both.workloadPlan).toMatchObject({ perMessage: { rcu: 0.5, wcu: 4 } });
  });

  it('is of the workload with what the table and its stack know', () => {
    const stack = new Stack(new App(), 'Test', { env: { region: 'eu-west-1' } });
    const capacity = TableCapacity.forWorkload(orders);
    new SagaTable(stack, 'Sagas', { capacity });
    new OutboxTable(stack, 'Outbox', { capacity, relayStream: true });
    const region = 'eu-west-1';
    expect(metadataOf(stack, 'Sagas')['sagabox:workload']).toEqual([{ ...orders, region }]);
    expect(metadataOf(stack, 'Outbox')['sagabox:workload']).toEqual([{ ...orders, region }]);
  });

  it('costs, over both tables, what the workload costs', () => {
    const stack = unbundledStack();
    const capacity = TableCapacity.forWorkload(orders);
    const { onDemand, provisioned } = planWorkload(orders).monthlyCost;
    const tables = [
      new SagaTable(stack, 'Sagas', { capacity }),
      new OutboxTable(stack, 'Outbox', { capacity }),
    ];
    const costs = tables.flatMap(({ workloadPlan }) => workloadPlan?.monthlyCost ?? []);
    expect(costs).toHaveLength(2);
    expect(costs.reduce((sum, cost) => sum + cost.onDemand, 0)).toBeCloseTo(onDemand, 6);
    expect(costs.reduce((sum, cost) => sum + cost.provisioned, 0)).toBeCloseTo(provisioned, 6);
  });

  it('is that of all workloads of the table', () => {
    const stack = unbundledStack();
    const capacity = TableCapacity.onDemand({
      workload: [orders, { ...orders, message: { sagaBytes: 5_000 } }],
    });
    const plan = new SagaTable(stack, 'Sagas', { capacity }).workloadPlan;
    expect(plan).toMatchObject({ messagesPerSecond: 140, perMessage: { rcu: 1.5, wcu: 6 } });
    expect(metadataOf(stack, 'Sagas')['sagabox:workload']).toHaveLength(2);
  });

  it.each([
    ['eu-west-1', {}, 'eu-west-1'],
    ['mars-north-1', {}, 'us-east-1'],
    [undefined, {}, 'us-east-1'],
    ['eu-west-1', { region: 'us-east-1' }, 'us-east-1'],
  ])('in %s, of a workload with %j, has the prices of %s', (region, named, priced) => {
    const stack = new Stack(new App(), 'Test', region === undefined ? {} : { env: { region } });
    const capacity = TableCapacity.forWorkload({ ...orders, ...named });
    expect(new SagaTable(stack, 'Sagas', { capacity }).workloadPlan?.prices.region).toBe(priced);
  });

  it('is an output, in one line, of a table that is made for it', () => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(orders) });
    const [output, ...others] = Object.values(Template.fromStack(stack).findOutputs('*'));
    expect(others).toEqual([]);
    expect(output?.Value).toMatch(
      /^70 messages\/s, at peak 140; a message takes 1 RCU and 2 WCU; provisioned 100 to 200 RCU\/s and 200 to 400 WCU\/s at 70 %; USD a month: [0-9.]+ provisioned, [0-9.]+ on demand \(us-east-1, prices of \d{4}-\d\d(-\d\d)?\)$/,
    );
  });

  it('is no output of a table that has it for comparison only', () => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas', { capacity: TableCapacity.onDemand({ workload: orders }) });
    expect(Template.fromStack(stack).findOutputs('*')).toEqual({});
    expect(metadataOf(stack, 'Sagas')['sagabox:plan']).toMatchObject({ perMessage: { rcu: 1, wcu: 2 } });
  });

  it('is left out without a workload', () => {
    const stack = unbundledStack();
    expect(new SagaTable(stack, 'Sagas').workloadPlan).toBeUndefined();
    expect(Object.keys(metadataOf(stack, 'Sagas')).filter((key) => key.startsWith('sagabox:'))).toEqual([]);
  });
});
