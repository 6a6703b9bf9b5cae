import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { MessageEndpoint, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { type InvocationReport, type LocalApp, startLocalApp } from 'sagabox/local';
import { CapacityMeter } from '../../lib/core/storage/capacity-meter.ts';
import { storedRecord } from '../support/commits.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { localAppFolder } from '../support/local-app-folder.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { drain } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { dynamoDBRelay } from '../support/relay-subject.ts';
import { repository } from '../support/source-files.ts';
import { waitUntil } from '../support/wait-until.ts';

const MINUTES_15 = 900;

const inFolder = localAppFolder();
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** An endpoint that sends to 'billing', whose messages wait in the queue 'target'. */
function synthesize(tableName: string, relayIndex: boolean): string {
  const cdk = new App({ outdir: inFolder('cdk.out') });
  const stack = new Stack(cdk, 'Recovered');
  const outboxTable = new OutboxTable(stack, 'Outbox', {
    tableName,
    relayIndex,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const endpoint = new MessageEndpoint(stack, 'Orders', {
    entry: join(repository, 'lambdas/billing.ts'),
    bundling: { esbuildArgs: { '--conditions': 'sagabox-source' } },
    outboxTable,
  });
  new OutboxRelay(stack, 'Relay', { endpoint });
  endpoint.sendsTo({ name: 'billing', queue: new Queue(stack, 'Target', { queueName: 'target' }) });
  return cdk.synth().directory;
}

describe('a deployed relay', () => {
  it.each(['index', 'scan'] as const)(
    'by %s runs every 15 minutes, and dispatches what a dead function left behind',
    async (strategy) => {
      const tableName = `relay-${randomUUID()}`;
      const invocations: InvocationReport[] = [];
      const app = await startLocalApp({
        assemblyDirectory: synthesize(tableName, strategy === 'index'),
        onInvocation: (report) => invocations.push(report),
      });
      const dynamoDB = dynamoDBClient();
      const sqs = new SQSClient({ endpoint: app.sqsEndpoint, region: 'us-east-1', credentials });
      try {
        const { committer } = dynamoDBRelay({ client: dynamoDB, tableName, strategy });
        await committer.commit(storedRecord('m1', [outgoingMessage({ id: 'of-m1' })]), new CapacityMeter());
        await passQuarterOfHour(app, invocations);

        expect(invocations.map(({ outcome }) => outcome)).toMatchObject([
          { kind: 'result', result: { found: 1, dispatched: 1, complete: true } },
        ]);
        expect((await drain(sqs, app.queueUrl('target'))).map(({ id }) => id)).toEqual(['of-m1']);
        const items = await allItems(dynamoDB, tableName);
        expect(items.map((item) => item.dispatched?.BOOL)).toEqual([true]);
      } finally {
        dynamoDB.destroy();
        sqs.destroy();
        await app.stop();
      }
    },
    60_000,
  );
});

async function passQuarterOfHour(app: LocalApp, invocations: readonly InvocationReport[]): Promise<void> {
  app.advanceQueueClock(MINUTES_15 - 60);
  expect(invocations).toEqual([]);
  app.advanceQueueClock(60);
  await waitUntil(() => invocations.length > 0, 40_000);
}
