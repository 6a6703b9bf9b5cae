import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PublishBatchCommand } from '@aws-sdk/client-sns';
import { sendInBatches } from '../../support/load-kill-verify/send-in-batches.ts';
import type { Clients } from '../engine/access.ts';

/** Where the messages of the proof's app go in. */
export interface EntryPoints {
  readonly ordersQueueUrl: string;
  readonly billingQueueUrl: string;
  readonly topicArn: string;
  readonly eventBusName: string;
}

/** One batch call each takes ten, so that five orders, each twice, go at a time. */
export const entriesPerCall = 10;
export const sendsPerMessage = 2;
/** Messages that each order makes outside, each of which is sent twice. */
export const messagesPerOrder = 5;

export const text = (StringValue: string) => ({ DataType: 'String', StringValue });
export const idOf = (kind: string, orderId: string) => ({ 'Sagabox.MessageId': text(`${kind}-${orderId}`) });

/**
 * Tells of the orders in every way but by HTTP, as producers outside do that send each message twice.
 *
 * @returns how many messages were sent beyond the first of each id
 */
export async function placeOrders(
  clients: Clients,
  to: EntryPoints,
  orderIds: readonly string[],
  { times, goodsOrdered }: { readonly times: number; readonly goodsOrdered: boolean },
): Promise<number> {
  const ordersPerCall = Math.floor(entriesPerCall / times);
  for (let start = 0; start < orderIds.length; start += ordersPerCall) {
    const some = orderIds
      .slice(start, start + ordersPerCall)
      .flatMap((orderId) => Array.from({ length: times }, (_, copy) => ({ orderId, copy })));
    await Promise.all([
      sendInBatches(clients.sqs, to.ordersQueueUrl, some.map(bare)),
      sendInBatches(clients.sqs, to.ordersQueueUrl, some.map(asCloudEvent)),
      sendInBatches(clients.sqs, to.billingQueueUrl, some.map(inGroup)),
      ...(goodsOrdered ? [publishGoods(clients, to.topicArn, some)] : []),
      putPayments(clients, to.eventBusName, some),
    ]);
  }
  return orderIds.length * (messagesPerOrder - (goodsOrdered ? 0 : 1)) * (times - 1);
}

interface Copy {
  readonly orderId: string;
  readonly copy: number;
}

/** Without a type, by a producer that knows an id only. */
function bare({ orderId }: Copy) {
  return { MessageBody: JSON.stringify({ orderId }), MessageAttributes: idOf('noted', orderId) };
}

/** Structured: its source and its id are the message's. */
function asCloudEvent({ orderId }: Copy) {
  return { MessageBody: JSON.stringify(cloudEvent('shop.customer-known', `customer-${orderId}`, orderId)) };
}

/** With the attributes of the package. SQS takes the copies for two messages; the package does not. */
function inGroup({ orderId, copy }: Copy) {
  return {
    MessageBody: JSON.stringify({ orderId }),
    MessageAttributes: { ...idOf('invoice', orderId), 'Sagabox.MessageType': text('InvoiceAsked') },
    MessageGroupId: orderId,
    MessageDeduplicationId: `invoice-${orderId}-${copy}`,
  };
}

function cloudEvent(type: string, id: string, orderId: string) {
  return { specversion: '1.0', id, source: '/proof', type, data: { orderId } };
}

/** Arrives raw at the stock, and wrapped at the audit. */
async function publishGoods({ sns }: Clients, TopicArn: string, some: readonly Copy[]): Promise<void> {
  const PublishBatchRequestEntries = some.map(({ orderId }, index) => ({
    Id: String(index),
    Message: JSON.stringify({ orderId }),
    MessageAttributes: { ...idOf('goods', orderId), 'Sagabox.MessageType': text('GoodsOrdered') },
  }));
  const { Failed = [] } = await sns.send(new PublishBatchCommand({ TopicArn, PublishBatchRequestEntries }));
  if (Failed.length > 0) throw new Error(`SNS did not take a message: ${Failed[0]?.Message}`);
}

/** EventBridge gives each copy an id of its own; the CloudEvent within keeps one. */
async function putPayments(
  { eventBridge }: Clients,
  EventBusName: string,
  some: readonly Copy[],
): Promise<void> {
  const Entries = some.map(({ orderId }) => ({
    EventBusName,
    Source: 'proof.payments',
    // A foreign event has the detail-type as its type, whatever is in it.
    DetailType: 'shop.payment-seen',
    Detail: JSON.stringify(cloudEvent('shop.payment-seen', `payment-${orderId}`, orderId)),
  }));
  const { FailedEntryCount } = await eventBridge.send(new PutEventsCommand({ Entries }));
  if (FailedEntryCount) throw new Error('EventBridge did not take an event');
}
