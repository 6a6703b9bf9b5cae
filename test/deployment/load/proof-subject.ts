import { readTable } from '../../../examples/order-fulfilment/ledgers.ts';
import type { Outputs } from '../cdk/cdk.ts';
import type { Clients } from '../engine/access.ts';
import { Arrivals } from '../far-ends/arrivals.ts';
import { type ExpectedOrder, expectedOfProof } from '../far-ends/expected-effects.ts';
import type { Effects } from '../far-ends/judge-orders.ts';
import { attributeOf, drain, queueUrls } from '../far-ends/queues.ts';
import type { Subject } from './subject.ts';
import { type EntryPoints, placeOrders, sendsPerMessage } from './ways-in.ts';

/** Error queues and dead-letter queues: what is there is counted apart. */
export function isForFailures(queueUrl: string): boolean {
  return /Error|DeadLetter|Undelivered/.test(queueUrl);
}

/** With the update. */
export const proofEndpoints = ['Orders', 'Billing', 'Stock', 'Audit', 'Archive'] as const;

/** The two stacks of the proof. */
export class ProofSubject implements Subject {
  readonly name = 'proof';
  readonly ignoresDelayed = false;
  readonly orders: ExpectedOrder[] = [];
  readonly outboxTableNames: readonly string[];
  readonly arrivals = new Arrivals();
  /** By the version of a handler, how many steps of the ledger it counted. */
  stepsByVersion: Readonly<Record<string, number>> = {};
  duplicatesSent = 0;
  readonly #clients: Clients;
  #outputs: Readonly<Record<string, string>> = {};

  constructor(clients: Clients, outputs: Outputs) {
    this.#clients = clients;
    this.take(outputs);
    const { OutboxTableName, StockTableName, AuditTableName } = this.#outputs;
    this.outboxTableNames = [OutboxTableName, StockTableName, AuditTableName].map(String);
  }

  /** The outputs of a deployment. */
  take(outputs: Outputs): void {
    this.#outputs = { ...outputs.ProofStore, ...outputs.ProofOffice };
  }

  output(name: string): string {
    const value = this.#outputs[name];
    if (value === undefined) throw new Error(`The stacks have no output ${name}`);
    return value;
  }

  async place(
    orderIds: readonly string[],
    placedAfterUpdate: boolean,
    times = sendsPerMessage,
  ): Promise<void> {
    const to: EntryPoints = {
      ordersQueueUrl: this.output('OrdersQueueUrl'),
      billingQueueUrl: this.output('BillingQueueUrl'),
      topicArn: this.output('TopicArn'),
      eventBusName: this.output('EventBusName'),
    };
    this.orders.push(...orderIds.map((orderId) => expectedOfProof(orderId, placedAfterUpdate)));
    this.duplicatesSent += await placeOrders(this.#clients, to, orderIds, times);
  }

  async workingQueueUrls(): Promise<string[]> {
    const farEnds = [this.output('ReceiptsQueueUrl'), this.output('LabelsQueueUrl')];
    const all = await queueUrls(this.#clients.sqs, 'Proof');
    return all.filter((url) => !farEnds.includes(url) && !isForFailures(url));
  }

  async effects(): Promise<Effects> {
    for (const name of ['ReceiptsQueueUrl', 'LabelsQueueUrl']) await this.#drain(this.output(name));
    const items = await readTable(this.#clients.dynamoDB, this.output('LedgerTableName'));
    const versions: Record<string, number> = {};
    for (const { version, step } of items) {
      if (/audited|payment seen/.test(String(step)))
        versions[String(version)] = (versions[String(version)] ?? 0) + 1;
    }
    this.stepsByVersion = versions;
    return new Map([
      ...items.map(({ step, times }): [string, number] => [String(step), Number(times)]),
      ...this.arrivals.effects,
    ]);
  }

  async #drain(queueUrl: string): Promise<void> {
    for (const message of await drain(this.#clients.sqs, queueUrl)) {
      this.arrivals.take({
        orderId: String((JSON.parse(message.Body ?? '{}') as { orderId?: string }).orderId),
        type: attributeOf(message, 'Sagabox.MessageType'),
        messageId: attributeOf(message, 'Sagabox.MessageId'),
      });
    }
  }
}
