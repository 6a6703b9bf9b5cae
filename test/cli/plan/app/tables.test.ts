import { describe, expect, it } from '@jest/globals';
import { CfnParameter, Stack, Stage } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { planMessage, planWorkload, type ScaleLimit } from 'sagabox/capacity';
import { OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import { plannedApps, type Told } from './planned-apps.ts';

const message = { sagaBytes: 1000, outgoing: 3 };
const workload = { messagesPerSecond: 200, peakMessagesPerSecond: 600, message };

const { synthesized, told, planned } = plannedApps();

describe('sagabox plan --app', () => {
  it('tells each table of endpoints with equal workloads, and the sum of their plans', async () => {
    const made: (SagaTable | OutboxTable)[] = [];
    const app = synthesized('equal', (scope) => {
      for (const name of ['Orders', 'Payments', 'Shipping']) {
        const stack = new Stack(scope, name);
        const capacity = TableCapacity.forWorkload(workload);
        made.push(
          new SagaTable(stack, 'Sagas', { capacity }),
          new OutboxTable(stack, 'Outbox', { capacity }),
        );
      }
    });
    const { tables, total } = await planned(app);
    expect(tables.map(({ name }) => name)).toEqual([
      ...['Orders/Sagas', 'Orders/Outbox', 'Payments/Sagas', 'Payments/Outbox', 'Shipping/Sagas'],
      'Shipping/Outbox',
    ]);
    for (const [index, { workloadPlan }] of made.entries())
      expect(tables[index]).toMatchObject({ ...workloadPlan });
    const sumOf = (mode: 'onDemand' | 'provisioned') =>
      made.reduce((sum, { workloadPlan }) => sum + (workloadPlan?.monthlyCost[mode] ?? Number.NaN), 0);
    const ofOne = planWorkload(workload);
    expect(total.monthlyCost).toEqual({ onDemand: sumOf('onDemand'), provisioned: sumOf('provisioned') });
    expect(sumOf('onDemand')).toBeCloseTo(3 * ofOne.monthlyCost.onDemand, 6);
    expect(total).toMatchObject({
      average: { rcu: 3 * 200 * ofOne.perMessage.rcu, wcu: 3 * 200 * ofOne.perMessage.wcu },
      peak: { rcu: 3 * 600 * ofOne.perMessage.rcu, wcu: 3 * 600 * ofOne.perMessage.wcu },
    });
    const text = await told(app);
    expect(text).toEqual(expect.arrayContaining(['Shipping/Outbox', 'Total: 6 tables']));
    expect(
      text.filter((line) => /^\S.* table of a workload: 200 messages\/s, at peak 600\.$/.test(line)),
    ).toHaveLength(6);
    expect(Math.max(...text.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(text.join('\n')).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('tells a saga table alone, with its steps and no other', async () => {
    const app = synthesized('alone', (scope) => {
      new SagaTable(new Stack(scope, 'Shop'), 'Sagas', { capacity: TableCapacity.forWorkload(workload) });
    });
    const { tables, total } = await planned(app);
    const steps = planMessage(message).steps.filter(({ table }) => table === 'saga');
    expect(steps.length).toBeGreaterThan(0);
    expect(tables).toEqual([
      expect.objectContaining({ name: 'Shop/Sagas', table: 'saga', workloads: [workload], steps: [steps] }),
    ]);
    expect(total.monthlyCost).toEqual(tables[0]?.monthlyCost);
    const text = (await told(app)).join('\n');
    expect(text).toContain('Total: 1 table\n');
    expect(text).not.toMatch(/outbox table|mark/i);
  });

  it('recommends a form of the outbox for the sagas of each workload', async () => {
    const small = TableCapacity.forWorkload({ ...workload, message: { ...message, outgoing: 1 } });
    const full = TableCapacity.forWorkload({ ...workload, message: { ...message, liveIds: 300 } });
    const app = synthesized('forms', (scope) => {
      const stack = new Stack(scope, 'Shop');
      new SagaTable(stack, 'Sagas', { capacity: small });
      new SagaTable(stack, 'Full', { capacity: full });
      new OutboxTable(stack, 'Outbox', { capacity: small });
    });
    const { tables } = await planned(app);
    expect(tables.map(({ outboxForms }) => outboxForms)).toEqual([
      [{ recommended: 'embedded', reason: expect.stringContaining('a message takes') }],
      [{ recommended: 'records', reason: expect.stringContaining('the inbox is full') }],
      [],
    ]);
    const text = (await told(app)).join(' ');
    expect(text.match(/Recommended: (embedded|records), as/g)).toHaveLength(2);
  });

  it('counts each table once, and nothing for the stream of one', async () => {
    const app = synthesized('relay', (scope) => {
      const stack = new Stack(scope, 'Shop', { env: { region: 'eu-west-1' } });
      const capacity = TableCapacity.forWorkload(workload);
      new SagaTable(stack, 'Sagas', { capacity });
      new OutboxTable(stack, 'Outbox', { capacity, relayStream: true });
    });
    const { tables, total } = await planned(app);
    const whole = planWorkload({ ...workload, region: 'eu-west-1' });
    expect(tables).toMatchObject([
      { name: 'Shop/Sagas', workloads: [{ region: 'eu-west-1', message }] },
      { name: 'Shop/Outbox', workloads: [{ region: 'eu-west-1', message }] },
    ]);
    expect(total.average).toEqual({ rcu: 200 * whole.perMessage.rcu, wcu: 200 * whole.perMessage.wcu });
    expect((total.monthlyCost as Told['monthlyCost']).onDemand).toBeCloseTo(whole.monthlyCost.onDemand, 6);
    expect(await told(app)).toContainEqual(expect.stringContaining('Prices of eu-west-1'));
  });

  it('shows the headroom and the target that a table is deployed with', async () => {
    const app = synthesized('headroom', (scope) => {
      const stack = new Stack(scope, 'Shop');
      new OutboxTable(stack, 'Planned', {
        capacity: TableCapacity.forWorkload({ ...workload, targetUtilizationPercent: 60 }, { headroom: 2 }),
      });
      new OutboxTable(stack, 'Chosen', {
        capacity: TableCapacity.provisioned({
          read: { minCapacity: 300, maxCapacity: 2000, targetUtilizationPercent: 50 },
          write: {
            minCapacity: new CfnParameter(stack, 'Units', { type: 'Number' }).valueAsNumber,
            maxCapacity: 9000,
          },
          workload,
        }),
      });
      new OutboxTable(stack, 'Limited', {
        capacity: TableCapacity.onDemand({ maxWriteRequestUnits: 20_000, workload }),
      });
      new OutboxTable(stack, 'Open', { capacity: TableCapacity.onDemand({ workload }) });
    });
    const { tables } = await planned(app);
    expect(tables).toMatchObject([
      {
        provisioned: { write: { minCapacity: 1000, maxCapacity: 3000 } },
        deployed: {
          mode: 'provisioned',
          read: { minCapacity: 334, maxCapacity: 2000, targetUtilizationPercent: 60 },
          write: { minCapacity: 1000, maxCapacity: 6000, targetUtilizationPercent: 60 },
        },
      },
      {
        deployed: {
          read: { minCapacity: 300, maxCapacity: 2000, targetUtilizationPercent: 50 },
          write: { maxCapacity: 9000, targetUtilizationPercent: 70 },
        },
      },
      { deployed: { mode: 'onDemand', read: {}, write: { maxCapacity: 20_000 } } },
      { deployed: { mode: 'onDemand', read: {}, write: {} } },
    ]);
    const text = (await told(app)).join('\n');
    expect(text).toMatch(/^ {2}planned +334 +1,000 +1,000 +3,000 +60 %$/m);
    expect(text).toMatch(/^ {2}deployed +334 +2,000 +1,000 +6,000 +60 %$/m);
    expect(text).toMatch(/^ {2}deployed +300 +2,000 +- +9,000 +50 %, 70 %$/m);
    expect(text).toContain('It is deployed on demand, limited to 20,000 writes a second.');
    expect(text).toContain('It is deployed on demand.\n');
  });

  it('compares what the tables declare with their limits, as the tables do', async () => {
    const made: (SagaTable | OutboxTable)[] = [];
    const app = synthesized('declared', (scope) => {
      const stack = new Stack(scope, 'Shop', { env: { region: 'us-east-1' } });
      const high = { ...workload, messagesPerSecond: 13_000, peakMessagesPerSecond: 13_000 };
      const peak = { start: Schedule.cron({ hour: '8' }), end: Schedule.cron({ hour: '20' }) };
      const units = (maxCapacity: number) => ({ minCapacity: 1, maxCapacity });
      const chosen = { read: units(2_000), write: units(9_000), workload };
      const scheduledPeaks = [{ ...peak, write: units(90_000) }];
      const capacities = [
        TableCapacity.forWorkload(high, { headroom: 2 }),
        TableCapacity.provisioned({ ...chosen, scheduledPeaks }),
        TableCapacity.onDemand({ maxWriteRequestUnits: 50_000, workload }),
      ];
      for (const [index, capacity] of capacities.entries())
        made.push(
          new SagaTable(stack, `Sagas${index}`, { capacity }),
          new OutboxTable(stack, `Outbox${index}`, { capacity }),
        );
    });
    const { tables } = await planned(app);
    const writes = ['provisionedWrites', 'tableWrites'];
    const limitsOf = ({ limits }: Told) => limits as ScaleLimit[];
    expect(limitsOf(tables[0] as Told).find(({ name }) => name === 'provisionedWrites')?.figure).toBe(74_286);
    for (const [index, { limits }] of made.entries()) {
      const told = limitsOf(tables[index] as Told);
      expect(limits).toEqual(expect.arrayContaining(told));
      expect(told.some(({ name, isPassed }) => writes.includes(name) && isPassed)).toBe(true);
    }
  });

  it('tells the workloads that share a table one after another, in stages and without paths too', async () => {
    const both = { ...workload, sharedTable: true };
    const app = synthesized(
      'shared',
      (scope) => {
        const stage = new Stage(scope, 'Production');
        new OutboxTable(new Stack(stage, 'Live'), 'Shared', {
          capacity: TableCapacity.forWorkload([both, workload]),
        });
        new SagaTable(new Stack(scope, 'Test'), 'Sagas', {
          capacity: TableCapacity.forWorkload([both, workload]),
        });
        new OutboxTable(new Stack(scope, 'Other'), 'Unplanned');
      },
      false,
    );
    const { tables } = await planned(app);
    const tablesOfSteps = tables.map(({ name, table, steps }) => [
      name,
      table,
      ...(steps as { table: string }[][]).map((ofOne) =>
        [...new Set(ofOne.map((step) => step.table))].sort(),
      ),
    ]);
    expect(tablesOfSteps).toEqual([
      [expect.stringMatching(/^Test\/Sagas/), 'shared', ['outbox', 'saga'], ['saga']],
      [expect.stringMatching(/^Production-Live\/Shared/), 'shared', ['outbox', 'saga'], ['outbox']],
    ]);
    const text = await told(app);
    expect(text).toContain('Table of sagas and outbox of 2 workloads: 400 messages/s, at peak 1,200.');
    expect(text).toContain('Steps of one new message of workload 2');
  });
});
