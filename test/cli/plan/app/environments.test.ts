import { describe, expect, it } from '@jest/globals';
import { type Environment, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Workload } from 'sagabox/capacity';
import { MessagingTable, OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import { plannedApps } from './planned-apps.ts';

const { synthesized, told, planned } = plannedApps();

/** Takes 2 WCU of its saga table and 3 of its outbox table. */
const message = { sagaBytes: 1_000, outgoing: 1 };
const workloadAt = (messagesPerSecond: number): Workload => ({ message, messagesPerSecond });

/** Both tables of an endpoint, provisioned for what the peak needs. */
function endpoint(scope: Construct, name: string, workload: Workload, env: Environment = {}): void {
  const stack = new Stack(scope, name, { env });
  const capacity = TableCapacity.forWorkload(workload, { headroom: 1 });
  new SagaTable(stack, 'Sagas', { capacity });
  new OutboxTable(stack, 'Outbox', { capacity });
}

async function environmentsOf(name: string, build: (app: Construct) => void) {
  const { environments, tables } = await planned(synthesized(name, build));
  return environments.map(({ limits, ...environment }) => ({
    environment,
    count: tables.length,
    limit: (limit: string) => {
      const found = limits.filter((one) => one.name === limit);
      expect(found.length).toBeLessThanOrEqual(1);
      return found[0];
    },
  }));
}

describe('the limits of an account in sagabox plan --app', () => {
  it.each([
    [11_199, 79_994, false],
    [11_200, 80_000, true],
  ])('add up the units of both tables: %d messages a second take %d', async (rate, figure, isPassed) => {
    const [only] = await environmentsOf(`units-${rate}`, (app) => endpoint(app, 'Shop', workloadAt(rate)));
    expect(only?.environment).toEqual({ region: 'us-east-1' });
    expect(only?.limit('accountWrites')).toMatchObject({ of: 'account', figure, isPassed });
    // The workload is that of one endpoint.
    expect(only?.limit('accountConcurrency')?.figure).toBeCloseTo(rate / 10, 9);
  });

  it.each([
    [4_999, false],
    [5_000, true],
  ])(
    'count equal workloads of two endpoints twice: 5,000 and %d messages a second',
    async (rate, isPassed) => {
      const [only] = await environmentsOf(`endpoints-${rate}`, (app) => {
        endpoint(app, 'Orders', workloadAt(5_000));
        endpoint(app, 'Payments', workloadAt(rate));
      });
      const concurrency = only?.limit('accountConcurrency');
      expect(concurrency).toMatchObject({ of: 'functions', isPassed });
      expect(concurrency?.figure).toBeCloseTo((5_000 + rate) / 10, 9);
      expect(concurrency?.reachedAtMessagesPerSecond).toBeCloseTo(10_000, 6);
    },
  );

  it('are the quotas of the region of the stack, and not of the prices of a workload', async () => {
    const published = { ...workloadAt(100), scale: { topicMessages: 1 }, region: 'us-east-1' };
    const [only] = await environmentsOf('region', (app) =>
      endpoint(app, 'Shop', published, { region: 'eu-west-1', account: '123456789012' }),
    );
    expect(only?.environment).toMatchObject({ region: 'eu-west-1' });
    expect(only?.limit('topicMessages')?.limit).toBe(9_000);
  });

  it('take the workload of two tables for one, in any order of its keys', async () => {
    const [only] = await environmentsOf('one', (app) => {
      const stack = new Stack(app, 'Shop');
      const workload = { messagesPerSecond: 1_000, message: { outgoing: 1, sagaBytes: 1_000 } };
      new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(workloadAt(1_000)) });
      new OutboxTable(stack, 'Outbox', { capacity: TableCapacity.forWorkload(workload) });
      const shared = TableCapacity.onDemand({ workload: workloadAt(1_000) });
      new MessagingTable(stack, 'Both', { capacity: shared });
    });
    expect(only?.count).toBe(3);
    expect(only?.limit('accountConcurrency')?.figure).toBeCloseTo(200, 9);
  });

  it('leave tables on demand out of the quota of provisioned capacity', async () => {
    const [only] = await environmentsOf('on-demand', (app) => {
      const capacity = TableCapacity.onDemand({ workload: workloadAt(1_000) });
      new SagaTable(new Stack(app, 'Shop'), 'Sagas', { capacity });
    });
    expect(only?.limit('accountWrites')).toBeUndefined();
    expect(only?.limit('accountConcurrency')?.figure).toBeCloseTo(100, 9);
  });

  it('are those of each account and region', async () => {
    const account = '111111111111';
    const found = await environmentsOf('environments', (app) => {
      endpoint(app, 'Shop1', workloadAt(100), { account, region: 'us-east-1' });
      endpoint(app, 'Shop2', workloadAt(200), { account, region: 'us-east-1' });
      endpoint(app, 'Shop3', workloadAt(400), { account, region: 'eu-west-1' });
      endpoint(app, 'Shop4', workloadAt(800), { account: '222222222222', region: 'us-east-1' });
    });
    expect(found.map(({ environment, limit }) => [environment, limit('accountConcurrency')?.figure])).toEqual(
      [
        [{ account, region: 'us-east-1' }, 30],
        [{ account, region: 'eu-west-1' }, 40],
        [{ account: '222222222222', region: 'us-east-1' }, 80],
      ],
    );
  });

  it('stand in the text behind the total, with figures and what to do', async () => {
    const app = synthesized('text', (scope) => endpoint(scope, 'Shop', workloadAt(12_000)));
    const lines = await told(app);
    const text = lines.slice(lines.indexOf('Total: 2 tables')).join('\n');
    expect(text).toContain('Limits of the account in us-east-1\n');
    expect(text).toMatch(/^ {2}account +WCU\/s, provisioned +85,715 +80,000 +107 %$/m);
    expect(text).toMatch(/^ {2}functions +concurrency +1,200 +1,000 +120 % +10,000\/s$/m);
    expect(text.replaceAll('\n', ' ')).toContain(
      'Passed with provisioned tables: - account: WCU/s, provisioned',
    );
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
