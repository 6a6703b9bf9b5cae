import { readTable } from '../../../examples/order-fulfilment/ledgers.ts';
import { attributeOf, takeAll } from '../../support/received-records.ts';
import type { Outputs } from '../cdk/cdk.ts';
import type { Clients } from '../engine/access.ts';
import { Arrivals } from '../far-ends/arrivals.ts';
import { type Archived, type ExpectedOrder, expectedOfProof } from '../far-ends/expected-effects.ts';
import type { Effects } from '../far-ends/judge-orders.ts';
import { isForFailures, queueNameOf, queueUrls } from '../far-ends/queues.ts';
import { judgeSchedules, scheduledMessages } from '../far-ends/schedules.ts';
import { noSteps, stepsByHandler } from '../far-ends/steps-by-handler.ts';
import type { Update } from '../updates/updates.ts';
import { type PlaceByHttp, Requests, type WayByHttp } from './requests.ts';
import type { Subject } from './subject.ts';
import { type EntryPoints, placeOrders, sendsPerMessage } from './ways-in.ts';

/** With the update. */
export const proofEndpoints = ['Orders', 'Billing', 'Parcels', 'Stock', 'Audit', 'Archive'] as const;

interface Placing {
  readonly times?: number;
  /** How it is placed by HTTP. */
  readonly byHttp?: Parameters<Requests['place']>[1];
  /** Whether the goods are ordered; an order whose goods are not stays open, with its timeout. */
  readonly goodsOrdered?: boolean;
}

export class ProofSubject implements Subject {
  readonly name = 'proof';
  readonly ignoresDelayed = false;
  readonly orders: ExpectedOrder[] = [];
  readonly outboxTableNames: readonly string[];
  readonly arrivals = new Arrivals();
  readonly requests: Requests;
  stepsByHandler = noSteps;
  duplicatesSent = 0;
  /** Whether orders that are placed now reach the archive. */
  archived: Archived = 'perhaps';
  #afterUpdate = false;
  readonly #clients: Clients;
  #outputs: Readonly<Record<string, string>> = {};

  /** @param waysByHttp made of the outputs of the app */
  constructor(
    clients: Clients,
    outputs: Outputs,
    waysByHttp: (output: (name: string) => string) => Readonly<Record<WayByHttp, PlaceByHttp>>,
  ) {
    this.#clients = clients;
    this.take(outputs, []);
    this.requests = new Requests(waysByHttp((name) => this.output(name)));
    const { OutboxTableName, SagaTableName, StockTableName, AuditTableName } = this.#outputs;
    // Some sagas have an embedded outbox.
    this.outboxTableNames = [OutboxTableName, SagaTableName, StockTableName, AuditTableName].map(String);
  }

  /** What is deployed, by updates after which orders have other effects. */
  take(outputs: Outputs, updates: readonly Pick<Update, 'context'>[]): void {
    this.#outputs = { ...outputs.ProofStore, ...outputs.ProofOffice };
    const { renamed, archive } = Object.assign({}, ...updates.map(({ context }) => context)) as {
      readonly renamed?: boolean;
      readonly archive?: string;
    };
    if (renamed) this.#afterUpdate = true;
    if (archive === 'subscribed') this.archived = 'always';
    if (archive === 'unsubscribed') this.archived = 'never';
  }

  output(name: string): string {
    const value = this.#outputs[name];
    if (value === undefined) throw new Error(`The stacks have no output ${name}`);
    return value;
  }

  async place(
    orderIds: readonly string[],
    { times = sendsPerMessage, byHttp = {}, goodsOrdered = true }: Placing = {},
  ): Promise<void> {
    const to: EntryPoints = {
      ordersQueueUrl: this.output('OrdersQueueUrl'),
      billingQueueUrl: this.output('BillingQueueUrl'),
      topicArn: this.output('TopicArn'),
      eventBusName: this.output('EventBusName'),
    };
    const circumstances = { afterUpdate: this.#afterUpdate, archived: this.archived, goodsOrdered };
    this.orders.push(...orderIds.map((orderId) => expectedOfProof(orderId, circumstances)));
    const [duplicates] = await Promise.all([
      placeOrders(this.#clients, to, orderIds, { times, goodsOrdered }),
      this.requests.place(orderIds, byHttp),
    ]);
    this.duplicatesSent += duplicates;
  }

  async scheduleComplaints(): Promise<string[]> {
    const scheduled = await scheduledMessages(this.#clients.scheduler, this.output('ScheduleGroupName'));
    return judgeSchedules(this.orders, scheduled);
  }

  async workingQueueUrls(): Promise<string[]> {
    const farEnds = ['Receipts', 'Labels'].map((name) => queueNameOf(this.output(`${name}QueueUrl`)));
    const all = await queueUrls(this.#clients.sqs, 'Proof');
    return all.filter((url) => !farEnds.includes(queueNameOf(url)) && !isForFailures(url));
  }

  async effects(): Promise<Effects> {
    for (const name of ['ReceiptsQueueUrl', 'LabelsQueueUrl']) await this.#drain(this.output(name));
    const items = await readTable(this.#clients.dynamoDB, this.output('LedgerTableName'));
    this.stepsByHandler = stepsByHandler(
      this.orders,
      items.map(({ step, version }) => ({ step: String(step), version: String(version) })),
    );
    return new Map([
      ...items.map(({ step, times }): [string, number] => [String(step), Number(times)]),
      ...this.arrivals.effects,
    ]);
  }

  async #drain(queueUrl: string): Promise<void> {
    for (const message of await takeAll(this.#clients.sqs, queueUrl)) {
      this.arrivals.take({
        orderId: String((JSON.parse(message.Body ?? '{}') as { orderId?: string }).orderId),
        type: attributeOf(message, 'Sagabox.MessageType'),
        messageId: attributeOf(message, 'Sagabox.MessageId'),
      });
    }
  }
}
