import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { MessageEndpoint, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { type FaultRule, type InvocationReport, startLocalApp } from 'sagabox/local';
import { CapacityMeter } from '../../lib/core/storage/capacity-meter.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { localAppFolder } from '../support/local-app-folder.ts';
import { drain } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { receiveRecords, sendTo } from '../support/received-records.ts';
import { dynamoDBRelay } from '../support/relay-subject.ts';
import { waitUntil } from '../support/wait-until.ts';

const ORDERS = ['m1', 'm2', 'm3'];
/** Also the least age of what is relayed: by the real clock, which the test has to wait for. */
const functionTimeout = Duration.seconds(3);

const afterCommit: FaultRule = {
  name: 'after the commit',
  kill: 'afterCall',
  matches: ({ operation }) => operation === 'PutItem',
  atCalls: ORDERS.map((_id, index) => index + 1),
};

const inFolder = localAppFolder();

/** An endpoint that handles one message at a time, with two relays that begin at the same time. */
function synthesize(tableName: string): string {
  const cdk = new App({ outdir: inFolder('cdk.out') });
  const stack = new Stack(cdk, 'Killed');
  const bundling = { esbuildArgs: { '--conditions': 'sagabox-source' } };
  const outboxTable = new OutboxTable(stack, 'Outbox', {
    tableName,
    relayIndex: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const endpoint = new MessageEndpoint(stack, 'Orders', {
    entry: join(import.meta.dirname, 'relay-kill-handler.ts'),
    bundling,
    outboxTable,
    functionTimeout,
    batchSize: 1,
    // Nothing comes back before the queue is purged.
    visibilityTimeout: Duration.minutes(10),
  });
  for (const id of ['First', 'Second']) {
    new OutboxRelay(stack, id, { endpoint, bundling, olderThan: functionTimeout });
  }
  endpoint.sendsTo({ name: 'target', queue: new Queue(stack, 'Target', { queueName: 'target' }) });
  new CfnOutput(stack, 'OrdersQueue', { value: endpoint.queue.queueUrl });
  return cdk.synth().directory;
}

/** What the records say is to be sent, and when the youngest of them was stored. */
async function storedMessages(client: DynamoDBClient, tableName: string) {
  const { outbox } = dynamoDBRelay({ client, tableName, strategy: 'index' });
  const records = await Promise.all(ORDERS.map((id) => outbox.find(id, new CapacityMeter())));
  return {
    ids: records
      .flatMap((record) => (record?.dispatched === false ? record.operations : []))
      .map(({ id }) => id),
    storedAtMs: Math.max(
      ...records.map((record) => (record?.dispatched === false ? record.storedAt.getTime() : 0)),
    ),
  };
}

describe('functions that are killed after the commit, and whose queue is purged', () => {
  it('have left messages that two relays at once send once each, with their stored ids', async () => {
    const tableName = `killed-${randomUUID()}`;
    const invocations: InvocationReport[] = [];
    let kills = 0;
    const app = await startLocalApp({
      assemblyDirectory: synthesize(tableName),
      maxConcurrency: 1,
      faults: [afterCommit],
      onFault: () => {
        kills += 1;
      },
      onInvocation: (report) => invocations.push(report),
    });
    const dynamoDB = dynamoDBClient();
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const sqs = new SQSClient({ endpoint: app.sqsEndpoint, region: 'us-east-1', credentials });
    try {
      const ordersQueue = app.outputs.OrdersQueue ?? '';
      for (const [order, id] of ORDERS.entries()) {
        await sendTo(sqs, ordersQueue, { id, type: 'Placed', body: { order } });
      }
      await waitUntil(() => kills === ORDERS.length && app.runningInvocations() === 0);
      await sqs.send(new PurgeQueueCommand({ QueueUrl: ordersQueue }));
      expect(await drain(sqs, app.queueUrl('target'))).toEqual([]);
      const { ids, storedAtMs } = await storedMessages(dynamoDB, tableName);
      expect(new Set(ids).size).toBe(2 * ORDERS.length);

      await waitUntil(() => Date.now() - storedAtMs > functionTimeout.toMilliseconds());
      const killed = invocations.splice(0);
      expect(killed.map(({ outcome }) => outcome.kind)).not.toContain('result');
      app.advanceQueueClock(Duration.minutes(15).toSeconds());
      await waitUntil(() => invocations.length >= 2);

      const results = invocations.map(({ outcome }) => outcome.kind === 'result' && outcome.result);
      expect(results).toMatchObject([
        { complete: true, failed: [] },
        { complete: true, failed: [] },
      ]);
      const dispatched = results.map((result) => (result as { dispatched: number }).dispatched);
      expect(dispatched.reduce((sum, count) => sum + count)).toBe(ORDERS.length);
      expect((await drain(sqs, app.queueUrl('target'))).map(({ id }) => id).toSorted()).toEqual(
        ids.toSorted(),
      );
      expect((await allItems(dynamoDB, tableName)).map((item) => item.dispatched?.BOOL)).toEqual(
        ORDERS.map(() => true),
      );
      expect(await receiveRecords(sqs, ordersQueue)).toEqual([]);
    } finally {
      dynamoDB.destroy();
      sqs.destroy();
      await app.stop();
    }
  }, 60_000);
});
