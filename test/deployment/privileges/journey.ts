import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type LocalApp, type ProxiedCall, startLocalApp } from 'sagabox/local';
import { functionUrlEvent, httpApiEvent } from '../../support/http-events.ts';
import { sendInBatches } from '../../support/load-kill-verify/send-in-batches.ts';
import { messagesWaiting } from '../../support/own-engines/queues.ts';
import { type SentMessage, sendTo } from '../../support/received-records.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Clients } from '../engine/access.ts';
import { judgeOrders } from '../far-ends/judge-orders.ts';
import { undispatchedRecords } from '../far-ends/undispatched.ts';
import { ProofSubject, proofEndpoints } from '../load/proof-subject.ts';
import { type PlaceByHttp, partsOf, type WayByHttp } from '../load/requests.ts';
import { isEmpty } from '../load/settle.ts';
import { sendUnknown } from '../load/unknown-messages.ts';
import { entriesPerCall, idOf, text } from '../load/ways-in.ts';
import { Deaths, repeatedOrder, scheduledOrder } from './deaths.ts';
import type { Journey } from './needed-access.ts';
import { unhurried } from './unhurried.ts';

/** Seconds: what a killed function held comes back after 18; a relay runs every minute. */
const redelivered = 20;
const relayed = 60;
/** No working system needs so long. */
const patienceMs = 600_000;

/** Messages to endpoints whose handler makes an outbox record of several items. */
const large = [
  ['Orders', 'CatalogueAsked'],
  ['Stock', 'StockListAsked'],
] as const;

/**
 * Runs the app of the deployment proof on this machine, and sends orders through it in every way: also some
 * whose functions die, and messages that fail, are not known, or come too late. First the endpoints work
 * alone, then the relays do what the endpoints do not live to do.
 */
export async function journeyOfProof(assemblyDirectory: string): Promise<Journey> {
  await unhurried(assemblyDirectory);
  const deaths = new Deaths();
  const calls: ProxiedCall[] = [];
  const schedules: Promise<unknown>[] = [];
  const app = await startLocalApp({
    assemblyDirectory,
    faults: deaths.rules,
    onCall: (call) => calls.push(call),
    onFault: (_, call) => {
      if (call.operation === 'CreateSchedule') schedules.push(scheduleLongAgo(clients, call));
    },
  });
  const clients = clientsOf(app);
  try {
    const subject = new ProofSubject(clients, { ProofStore: app.outputs }, () => waysInto(app));
    const place = (orderId: string) => subject.place([orderId], { times: 1 });
    const queueOf = (endpoint: string) => subject.output(`${endpoint}QueueUrl`);
    const send = (endpoint: string, message: SentMessage) => sendTo(clients.sqs, queueOf(endpoint), message);
    const isDone = async () =>
      (await isEmpty(clients, subject)) &&
      (await undispatchedRecords(clients.dynamoDB, subject.outboxTableNames)).length === 0 &&
      judgeOrders(subject.orders, await subject.effects()).lost.length === 0;
    const queueUrls = await subject.workingQueueUrls();
    const atRest = async () => {
      await Promise.all(schedules);
      if (app.runningInvocations() > 0) return false;
      const waiting = await Promise.all(queueUrls.map((url) => messagesWaiting(clients.sqs, url)));
      return waiting.every((count) => count === 0);
    };
    /** Lets the clock of the queues jump ahead, whenever nobody is at work. */
    const until = async (isSo: () => boolean | Promise<boolean>, seconds: number) => {
      const isSoAtRest = async () => {
        if (!(await atRest())) return false;
        if (await isSo()) return true;
        app.advanceQueueClock(seconds);
        return false;
      };
      await Promise.race([waitUntil(isSoAtRest, patienceMs), app.failed]);
    };

    /** A batch of as many sagas with an embedded outbox. */
    const countParcels = async (number: number) => {
      const counters = Array.from({ length: entriesPerCall }, (_, index) => `parcels-${index}`);
      const messages = counters.map((counter) => ({
        MessageBody: JSON.stringify({ counter, number }),
        MessageAttributes: {
          ...idOf('count', `${counter}-${number}`),
          'Sagabox.MessageType': text('Count'),
        },
      }));
      await sendInBatches(clients.sqs, queueOf('Parcels'), messages);
    };

    await place(repeatedOrder);
    const { url } = waysInto(app);
    // Its function dies before the first message leaves, and the same request finds what it left.
    for (const status of [502, 201])
      if ((await url({ key: 'large', orderId: 'large-1', pages: true })).status !== status)
        throw new Error(`A request with pages did not end with ${status}`);
    for (const [endpoint, type] of large) await send(endpoint, messageOf(type, 'first'));
    await send('Orders', messageOf('CardCharged', 'late'));
    await send('Orders', messageOf('RemarksOpened', 'remarked'));
    await send('Billing', { ...messageOf('InvoiceRepeated', 'failing'), group: 'any' });
    await sendUnknown(clients, proofEndpoints.map(queueOf), 'unknown', 1);
    await countParcels(1);
    await until(isDone, redelivered);
    await countParcels(2);
    for (const type of ['Remarked', 'RemarksRead']) await send('Orders', messageOf(type, 'remarked'));

    const schedulesBefore = schedules.length;
    await place(scheduledOrder);
    await until(() => schedules.length > schedulesBefore, redelivered);

    deaths.allIsLost = true;
    deaths.relaysLive = true;
    await place('lost');
    await countParcels(3);
    for (const [endpoint, type] of large) await send(endpoint, messageOf(type, 'second'));
    await until(isDone, relayed);
    return { resources: app.resources, calls };
  } finally {
    for (const client of Object.values(clients)) client.destroy();
    await app.stop();
  }
}

function clientsOf(app: LocalApp): Clients {
  return {
    sqs: new SQSClient(app.clientConfig),
    sns: new SNSClient(app.clientConfig),
    eventBridge: new EventBridgeClient(app.clientConfig),
    dynamoDB: new DynamoDBClient(app.clientConfig),
    scheduler: new SchedulerClient(app.clientConfig),
  };
}

interface Response {
  readonly statusCode: number;
  readonly headers: object;
  readonly cookies: readonly string[];
  readonly body: string;
}

/** The functions of the API, with the events of an HTTP API and of a function URL. */
function waysInto(app: LocalApp): Readonly<Record<WayByHttp, PlaceByHttp>> {
  const invoking =
    (functionName: string, eventOf: typeof httpApiEvent): PlaceByHttp =>
    async (request) => {
      const outcome = await app.invoke(functionName, eventOf({ ...partsOf(request), authorizer: {} }));
      if (outcome.kind !== 'result') return { status: 502, headers: {}, body: outcome.error.errorMessage };
      const { statusCode, headers, cookies, body } = outcome.result as Response;
      return { status: statusCode, headers: { ...headers, cookies }, body };
    };
  return { api: invoking('PlaceOrder', httpApiEvent), url: invoking('PlaceOrderByUrl', functionUrlEvent) };
}

function messageOf(type: string, orderId: string): SentMessage {
  return { type, id: `${type} ${orderId}`, body: { orderId } };
}

/** As if the call had been made so long ago that its token is forgotten. */
async function scheduleLongAgo({ scheduler }: Clients, { request }: ProxiedCall): Promise<unknown> {
  const input = { ...(request as unknown as CreateScheduleCommandInput), ClientToken: 'forgotten' };
  return await scheduler.send(new CreateScheduleCommand(input));
}
