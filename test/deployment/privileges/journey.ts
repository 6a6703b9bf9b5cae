import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type FaultRule, type ProxiedCall, startLocalApp } from 'sagabox/local';
import { sendTo } from '../../support/received-records.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Clients } from '../engine/access.ts';
import { judgeOrders } from '../far-ends/judge-orders.ts';
import { undispatchedRecords } from '../far-ends/undispatched.ts';
import { ProofSubject, proofEndpoints } from '../load/proof-subject.ts';
import { isEmpty } from '../load/settle.ts';
import { sendUnknown } from '../load/unknown-messages.ts';
import type { Journey } from './needed-access.ts';

const access = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** Functions die after they committed this order's messages, so that the relays dispatch them. */
const lostOrder = 'lost-1';
/** A function dies once when it has made a schedule of this one. */
const repeatedOrder = 'repeated-1';
const outgoing = ['sqs', 'sns', 'eventbridge', 'scheduler'];

const dies = (call: ProxiedCall): boolean =>
  /^Proof(Store-Orders|Office-Stock)Function/.test(call.functionName) &&
  JSON.stringify(call.request).includes(lostOrder);

const always = Array.from({ length: 1_000 }, (_, index) => index + 1);

const faults: FaultRule[] = [
  {
    name: 'dies before it dispatches',
    kill: 'beforeCall',
    matches: (call) => outgoing.includes(call.service) && dies(call),
    atCalls: always,
  },
  {
    name: 'dies in a dispatch of chunks',
    kill: 'beforeCall',
    matches: (call) => JSON.stringify(call.request).includes('CataloguePage') && !dies(call),
    atCalls: [1],
  },
  {
    name: 'dies when it made a schedule',
    kill: 'afterCall',
    matches: ({ operation, request }) =>
      operation === 'CreateSchedule' && JSON.stringify(request).includes(repeatedOrder),
    atCalls: [1],
  },
];

/**
 * Runs the app of the deployment proof on this machine, and sends orders through it in every way: also one
 * whose functions die, and messages that fail, are not known, or come too late.
 */
export async function journeyOfProof(assemblyDirectory: string): Promise<Journey> {
  const calls: ProxiedCall[] = [];
  const app = await startLocalApp({
    assemblyDirectory,
    timeScale: 20,
    faults,
    onCall: (call) => calls.push(call),
  });
  const at = (endpoint: string) => ({ ...access, endpoint });
  const clients: Clients = {
    sqs: new SQSClient(at(app.sqsEndpoint)),
    sns: new SNSClient(at(app.sqsEndpoint)),
    eventBridge: new EventBridgeClient(at(app.eventBridgeEndpoint)),
    dynamoDB: new DynamoDBClient(at(app.dynamoDBEndpoint)),
    scheduler: new SchedulerClient(at(app.schedulerEndpoint)),
  };
  try {
    const subject = new ProofSubject(clients, { ProofStore: app.outputs });
    await subject.place(['order-1', repeatedOrder, lostOrder]);
    const {
      OrdersQueueUrl: orders = '',

      BillingQueueUrl: billing = '',
    } = app.outputs;
    for (const orderId of ['catalogue-1', 'catalogue-2', `${lostOrder}-catalogue`]) {
      const body = { orderId };
      await sendTo(clients.sqs, orders, { type: 'CatalogueAsked', id: `catalogue of ${orderId}`, body });
    }
    await sendTo(clients.sqs, orders, { type: 'CardCharged', id: 'late', body: { orderId: 'none' } });
    await sendTo(clients.sqs, billing, {
      type: 'InvoiceRepeated',
      id: 'repeated',
      group: 'any',
      body: { orderId: 'any' },
    });
    await sendUnknown(
      clients,
      proofEndpoints.map((endpoint) => subject.output(`${endpoint}QueueUrl`)),
      'unknown',
      1,
    );
    const isDone = async () =>
      judgeOrders(subject.orders, await subject.effects()).lost.length === 0 &&
      (await undispatchedRecords(clients.dynamoDB, subject.outboxTableNames)).length === 0 &&
      (await isEmpty(clients, subject));
    await Promise.race([waitUntil(isDone, 90_000), app.failed]);
    return { resources: app.resources, calls };
  } finally {
    for (const client of Object.values(clients)) client.destroy();
    await app.stop();
  }
}
