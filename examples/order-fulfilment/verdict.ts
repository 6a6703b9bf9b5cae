import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readLedger, readTable } from './ledgers.ts';
import type { Notifications } from './notifications.ts';

export interface Verdict {
  readonly completedOrders: number;
  /** Effects that should exist and do not, each named. */
  readonly lost: readonly string[];
  /** Effects that were applied more than once, each named. */
  readonly appliedTwice: readonly string[];
  /** Outbox records whose messages were never confirmed as sent. */
  readonly undispatched: readonly string[];
}

export interface Evidence {
  readonly orderIds: readonly string[];
  readonly dynamoDBClient: DynamoDBClient;
  /** The outputs of the sample's stack. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly notifications: Notifications;
  /** Different ids under which a message of an order was delivered to a function. */
  readonly messageIds: (type: string, orderId: string) => ReadonlySet<string>;
  /** Orders whose saga took up its payment timeout. */
  readonly ordersTimedOut: ReadonlySet<string>;
}

/** What the functions send to each other for one order, once each. */
const sentMessages = ['ChargeCard', 'CardCharged', 'ShipOrder', 'OrderShipped', 'PaymentTimedOut'] as const;
/** OrderPlaced, CardCharged and OrderShipped. */
const messagesPerSaga = 3;

/** Checks what is in the tables, and what has arrived, against what each order must have caused. */
export async function judge(evidence: Evidence): Promise<Verdict> {
  const { dynamoDBClient: client, outputs, notifications } = evidence;
  const charges = await readLedger(client, outputs.ChargesTableName, 'charges');
  const shipments = await readLedger(client, outputs.ShipmentsTableName, 'shipments');
  const openSagas = (await readTable(client, outputs.SagaTableName)).map((item) => String(item.PK));
  const outboxRecords = await readTable(client, outputs.OutboxTableName);
  const lost: string[] = [];
  const appliedTwice: string[] = [];
  let completedOrders = 0;

  for (const orderId of evidence.orderIds) {
    const open = openSagas.some((key) => key.endsWith(`#${orderId}`));
    const effects: Record<string, number> = {
      charge: charges.get(orderId) ?? 0,
      shipment: shipments.get(orderId) ?? 0,
      'OrderFulfilled message': notifications.messageIds('OrderFulfilled', orderId).size,
      'completion of the saga': open ? 0 : 1,
    };
    for (const type of sentMessages) {
      effects[`${type} message`] = evidence.messageIds(type, orderId).size;
    }
    for (const [effect, times] of Object.entries(effects)) {
      if (times === 0) lost.push(`${effect} of ${orderId}`);
      if (times > 1) appliedTwice.push(`${effect} of ${orderId} (${times} times)`);
    }
    const reminders = notifications.messageIds('PaymentReminder', orderId).size;
    if (reminders > 1) appliedTwice.push(`PaymentReminder message of ${orderId} (${reminders} times)`);
    const handled = notifications.handledMessages(orderId);
    const expected = messagesPerSaga + (evidence.ordersTimedOut.has(orderId) ? 1 : 0);
    if (handled > expected) {
      appliedTwice.push(`saga change of ${orderId} (${handled} messages applied, ${expected} were sent)`);
    }
    if (handled > 0 && handled < messagesPerSaga) {
      lost.push(`saga change of ${orderId} (${handled} messages applied, ${messagesPerSaga} were handled)`);
    }
    if (Object.values(effects).every((times) => times > 0)) completedOrders += 1;
  }
  const undispatched = outboxRecords
    .filter(({ SK: sortKey, dispatched }) => sortKey === 'RECORD' && dispatched !== true)
    .map(({ PK: partitionKey }) => String(partitionKey));
  return { completedOrders, lost, appliedTwice, undispatched };
}
