import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { App, Stack, Stage } from 'aws-cdk-lib';
import { Capacity, OutboxTable, SagaTable } from 'sagabox/constructs';
import { readPlanCommand } from '../../lib/cli/plan-options.ts';

let outdir: string;
beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'sagabox-plan-app-'));
});
afterAll(async () => await rm(outdir, { recursive: true, force: true }));

it('sagabox plan --app finds what the constructs leave in the templates', async () => {
  const workload = { messagesPerSecond: 200, message: { sagaBytes: 1000, outgoing: 3 } };
  // As the command of the CDK does.
  const app = new App({ outdir, context: { 'aws:cdk:enable-path-metadata': true } });
  const shop = new Stack(app, 'Shop', { env: { region: 'eu-west-1' } });
  new SagaTable(shop, 'Sagas', { capacity: Capacity.forWorkload(workload) });
  new OutboxTable(shop, 'Outbox', { capacity: Capacity.forWorkload(workload) });
  new OutboxTable(shop, 'Unplanned');
  const stage = new Stage(app, 'Production');
  new OutboxTable(new Stack(stage, 'Live'), 'Shared', {
    capacity: Capacity.onDemand({ workload: { ...workload, sharedTable: true } }),
  });
  app.synth();

  const command = await readPlanCommand(['--app', outdir, '--outgoing', '5']);
  const message = { sagaBytes: 1000, outgoing: 5 };
  expect(command).toMatchObject({
    run: {
      workloads: [
        { name: 'Shop/Sagas, Shop/Outbox', workload: { ...workload, message, region: 'eu-west-1' } },
        { name: 'Production/Live/Shared', workload: { ...workload, message, sharedTable: true } },
      ],
    },
  });
}, 30_000);
