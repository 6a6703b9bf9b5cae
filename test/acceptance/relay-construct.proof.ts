import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { RelayRunResult } from 'sagabox';
import {
  MessageEndpoint,
  type MessageEndpointProps,
  OutboxRelay,
  type OutboxRelayProps,
  OutboxTable,
} from 'sagabox/constructs';
import { type FaultRule, type InvocationReport, type LocalApp, startLocalApp } from 'sagabox/local';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { storedRecord } from '../support/commits.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { localAppFolder } from '../support/local-app-folder.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { drain } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { receiveRecords, sendTo } from '../support/received-records.ts';
import { dynamoDBRelay } from '../support/relay-subject.ts';
import { repository } from '../support/source-files.ts';
import { waitUntil } from '../support/wait-until.ts';

const QUARTER_OF_HOUR = Duration.minutes(15).toSeconds();
const ORDERS = ['m1', 'm2', 'm3'];
/** Also the least age of what is relayed: by the real clock, which the test has to wait for. */
const functionTimeout = Duration.seconds(3);

const afterCommit: FaultRule = {
  name: 'after the commit',
  kill: 'afterCall',
  matches: ({ operation }) => operation === 'PutItem',
  atCalls: [...ORDERS, ...ORDERS].map((_id, index) => index + 1),
};

const inFolder = localAppFolder();
const dynamoDB = dynamoDBClient();
const bundling = { esbuildArgs: { '--conditions': 'sagabox-source' } };

type Endpoint = Partial<MessageEndpointProps> & {
  readonly entry: string;
  readonly tableName: string;
  readonly relayStream: boolean;
  /** Where it sends; the messages wait in the queue 'target'. */
  readonly destination: string;
};

/** Endpoints that are alike, with relays of all of them that begin at the same time. */
function synthesize(
  { tableName, relayStream, destination, ...props }: Endpoint,
  relays: Readonly<Record<string, Pick<OutboxRelayProps, 'olderThan' | 'strategy'>>>,
  ids: readonly string[] = ['Orders'],
): string {
  const cdk = new App({ outdir: inFolder('cdk.out') });
  const stack = new Stack(cdk, 'Relayed');
  const removalPolicy = RemovalPolicy.DESTROY;
  const outboxTable = new OutboxTable(stack, 'Outbox', { tableName, relayStream, removalPolicy });
  const endpoints = ids.map((id) => new MessageEndpoint(stack, id, { bundling, outboxTable, ...props }));
  for (const [id, options] of Object.entries(relays)) {
    new OutboxRelay(stack, id, { endpoints, bundling, ...options });
  }
  const queue = new Queue(stack, 'Target', { queueName: 'target' });
  for (const endpoint of endpoints) {
    endpoint.sendsTo({ name: destination, queue });
    new CfnOutput(stack, `${endpoint.node.id}Queue`, { value: endpoint.queue.queueUrl });
  }
  return cdk.synth().directory;
}

interface Running {
  readonly app: LocalApp;
  readonly sqs: SQSClient;
  /** Of all functions but watchers of streams. */
  readonly invocations: InvocationReport[];
  readonly watched: InvocationReport[];
}

async function withApp(
  options: Parameters<typeof startLocalApp>[0],
  work: (running: Running) => Promise<void>,
): Promise<void> {
  const invocations: InvocationReport[] = [];
  const watched: InvocationReport[] = [];
  const onInvocation = (report: InvocationReport) =>
    void (report.functionName.includes('Watcher') ? watched : invocations).push(report);
  const app = await startLocalApp({ ...options, onInvocation });
  const sqs = new SQSClient(app.clientConfig);
  try {
    await work({ app, sqs, invocations, watched });
  } finally {
    sqs.destroy();
    await app.stop();
  }
}

/** By the runs of a relay, each of which has come to its end. */
function dispatchedBy(invocations: readonly InvocationReport[]): number {
  const results = invocations.map(({ outcome }) => outcome.kind === 'result' && outcome.result);
  expect(results).toEqual(results.map(() => expect.objectContaining({ complete: true, failed: [] })));
  return (results as RelayRunResult[]).reduce((sum, { dispatched }) => sum + dispatched, 0);
}

describe('I3: a deployed relay', () => {
  it.each(['stream', 'scan'] as const)(
    'by %s runs every 15 minutes, and dispatches what a dead function left behind',
    async (strategy) => {
      const tableName = `relay-${randomUUID()}`;
      const relayStream = strategy === 'stream';
      const entry = join(repository, 'lambdas/billing.ts');
      const assemblyDirectory = synthesize(
        { tableName, relayStream, entry, destination: 'billing' },
        { Relay: {} },
      );
      await withApp({ assemblyDirectory }, async ({ app, sqs, invocations, watched }) => {
        const { committer } = dynamoDBRelay({ client: dynamoDB, tableName, strategy });
        await committer.commit(storedRecord('m1', [outgoingMessage({ id: 'of-m1' })]), new CapacityMeter());
        app.advanceQueueClock(QUARTER_OF_HOUR - 60);
        expect(invocations).toEqual([]);
        const later = (isSo: () => boolean) =>
          waitUntil(() => {
            app.advanceQueueClock(60);
            return isSo();
          });
        // Its window begins when it has read the change.
        if (relayStream) await later(() => watched.length > 0);
        await later(() => dispatchedBy(invocations) > 0);

        expect(dispatchedBy(invocations)).toBe(1);
        expect((await drain(sqs, app.queueUrl('target'))).map(({ id }) => id)).toEqual(['of-m1']);
        const records = (await allItems(dynamoDB, tableName)).filter(({ SK }) => SK?.S === 'RECORD');
        expect(records.map((item) => item.dispatched?.BOOL)).toEqual([true]);
      });
    },
  );
});

/** What the records of an endpoint say is to be sent, and when the youngest of them was stored. */
async function storedMessages(tableName: string, endpoint: string) {
  const { outbox } = dynamoDBRelay({ client: dynamoDB, tableName, strategy: 'stream', endpoint });
  const records = await Promise.all(ORDERS.map((id) => outbox.find(id, new CapacityMeter())));
  const undispatched = records.flatMap((record) => (record?.dispatched === false ? [record] : []));
  return {
    ids: undispatched.flatMap(({ operations }) => operations).map(({ id }) => id),
    storedAtMs: Math.max(...undispatched.map(({ storedAt }) => storedAt.getTime())),
  };
}

describe('I3: functions of two endpoints that are killed after the commit, and whose queues are purged', () => {
  it('leave messages that two relays at once send once each, with their stored ids', async () => {
    const tableName = `killed-${randomUUID()}`;
    const endpoints = ['Orders', 'Billing'];
    const settings = {
      tableName,
      relayStream: true,
      entry: join(import.meta.dirname, 'relay-kill-handler.ts'),
      destination: 'target',
      functionTimeout,
      batchSize: 1,
      // Nothing comes back before the queue is purged.
      visibilityTimeout: Duration.minutes(10),
    };
    const olderThan = functionTimeout;
    const relays = { First: { olderThan }, Second: { olderThan, strategy: 'scan' } } as const;
    const assemblyDirectory = synthesize(settings, relays, endpoints);
    const count = endpoints.length * ORDERS.length;
    let kills = 0;
    const onFault = () => {
      kills += 1;
    };
    const options = { assemblyDirectory, maxConcurrency: 1, faults: [afterCommit], onFault };
    await withApp(options, async ({ app, sqs, invocations }) => {
      const queues = endpoints.map((id) => app.outputs[`${id}Queue`] ?? '');
      for (const queue of queues) {
        for (const [order, id] of ORDERS.entries()) {
          await sendTo(sqs, queue, { id, type: 'Placed', body: { order } });
        }
      }
      await waitUntil(() => kills === count && app.runningInvocations() === 0);
      for (const queue of queues) await sqs.send(new PurgeQueueCommand({ QueueUrl: queue }));
      expect(await drain(sqs, app.queueUrl('target'))).toEqual([]);
      const foreign = dynamoDBRelay({
        client: dynamoDB,
        tableName,
        strategy: 'stream',
        endpoint: 'shipping',
      });
      await foreign.committer.commit(storedRecord('m1', [outgoingMessage()]), new CapacityMeter());
      const [ofOrders, ofBilling] = [
        await storedMessages(tableName, 'orders'),
        await storedMessages(tableName, 'billing'),
      ];
      const ids = [...ofOrders.ids, ...ofBilling.ids];
      expect(new Set(ids).size).toBe(2 * count);

      const storedAtMs = Math.max(ofOrders.storedAtMs, ofBilling.storedAtMs);
      await waitUntil(() => Date.now() - storedAtMs > functionTimeout.toMilliseconds());
      const killed = invocations.splice(0);
      expect(killed.map(({ outcome }) => outcome.kind)).not.toContain('result');
      app.advanceQueueClock(QUARTER_OF_HOUR);
      await waitUntil(() => invocations.length >= 2);

      const results = invocations.map(({ outcome }) => outcome.kind === 'result' && outcome.result);
      expect(results).toMatchObject([
        { complete: true, failed: [] },
        { complete: true, failed: [] },
      ]);
      const runs = results as RelayRunResult[];
      for (const endpoint of ['orders', 'billing']) {
        const dispatched = runs.map(({ endpoints }) => endpoints[endpoint]?.dispatched ?? 0);
        expect(dispatched.reduce((sum, each) => sum + each)).toBe(ORDERS.length);
      }
      // The one that reads the whole table.
      expect(runs.map(({ unknownEndpoints }) => unknownEndpoints)).toContainEqual({ shipping: 1 });
      const sent = (await drain(sqs, app.queueUrl('target'))).map(({ id }) => id);
      expect(sent.toSorted()).toEqual(ids.toSorted());
      const undispatched = (await allItems(dynamoDB, tableName)).filter(
        ({ SK, dispatched }) => SK?.S === 'RECORD' && !dispatched?.BOOL,
      );
      expect(undispatched.map((item) => item.PK?.S)).toEqual(['OUTBOX#shipping#m1']);
      for (const queue of queues) expect(await receiveRecords(sqs, queue)).toEqual([]);
    });
  });
});
