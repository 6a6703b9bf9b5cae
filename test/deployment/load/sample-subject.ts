import { readLedger, readTable } from '../../../examples/order-fulfilment/ledgers.ts';
import { placeOrders } from '../../../examples/order-fulfilment/producer.ts';
import { attributeOf, takeAll } from '../../support/received-records.ts';
import type { Outputs } from '../cdk/cdk.ts';
import type { Clients } from '../engine/access.ts';
import { Arrivals } from '../far-ends/arrivals.ts';
import { type ExpectedOrder, expectedOfSample } from '../far-ends/expected-effects.ts';
import { type Effects, effectKey } from '../far-ends/judge-orders.ts';
import { isForFailures, queueUrls } from '../far-ends/queues.ts';
import type { Subject } from './subject.ts';

/** The sample app, bin/app.ts. Its timeout of 15 minutes is not waited for. */
export class SampleSubject implements Subject {
  readonly name = 'sample';
  readonly ignoresDelayed = true;
  readonly orders: ExpectedOrder[] = [];
  readonly outboxTableNames: readonly string[];
  readonly arrivals = new Arrivals();
  duplicatesSent = 0;
  readonly #clients: Clients;
  readonly #outputs: Readonly<Record<string, string>>;

  constructor(clients: Clients, outputs: Outputs) {
    this.#clients = clients;
    this.#outputs = outputs.OrderFulfilment ?? {};
    this.outboxTableNames = [String(this.#outputs.OutboxTableName)];
  }

  get ordersQueueUrl(): string {
    return String(this.#outputs.OrdersQueueUrl);
  }

  async place(orderIds: readonly string[], signal: AbortSignal): Promise<void> {
    this.orders.push(...orderIds.map(expectedOfSample));
    await placeOrders(this.#clients.sqs, this.ordersQueueUrl, orderIds, signal);
    this.duplicatesSent += orderIds.length;
  }

  /** Its timeouts wait in their queue. */
  async scheduleComplaints(): Promise<string[]> {
    return [];
  }

  async workingQueueUrls(): Promise<string[]> {
    const urls = await queueUrls(this.#clients.sqs, 'OrderFulfilment');
    return urls.filter((url) => url !== this.#outputs.NotificationsQueueUrl && !isForFailures(url));
  }

  async effects(): Promise<Effects> {
    const { dynamoDB, sqs } = this.#clients;
    for (const message of await takeAll(sqs, String(this.#outputs.NotificationsQueueUrl))) {
      const type = attributeOf(message, 'Sagabox.MessageType');
      const { orderId = '' } = JSON.parse(message.Body ?? '{}') as { orderId?: string };
      this.arrivals.take({
        orderId,
        type: `${type} message`,
        messageId: attributeOf(message, 'Sagabox.MessageId'),
      });
    }
    const charges = await readLedger(dynamoDB, this.#outputs.ChargesTableName, 'charges');
    const shipments = await readLedger(dynamoDB, this.#outputs.ShipmentsTableName, 'shipments');
    const sagas = await readTable(dynamoDB, this.#outputs.SagaTableName);
    const open = new Set(sagas.map(({ PK }) => String(PK).split('#').at(-1)));
    const effects = new Map(this.arrivals.effects);
    for (const [orderId, times] of charges) effects.set(effectKey(orderId, 'charge'), times);
    for (const [orderId, times] of shipments) effects.set(effectKey(orderId, 'shipment'), times);
    for (const { orderId } of this.orders) {
      const shipped = shipments.has(orderId);
      effects.set(effectKey(orderId, 'completion of the saga'), shipped && !open.has(orderId) ? 1 : 0);
    }
    return effects;
  }
}
