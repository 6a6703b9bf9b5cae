import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';

export function orderIds(orders: number): string[] {
  return Array.from({ length: orders }, (_, index) => `order-${String(index + 1).padStart(5, '0')}`);
}

/** Every order is sent twice: two SQS messages with one message id, as after a producer's retry. */
const sendsPerOrder = 2;
const entriesPerCall = 10;

/** Places the orders as a plain producer does, with no outbox of its own. */
export async function placeOrders(
  sqsClient: SQSClient,
  queueUrl: string,
  orderIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const ordersPerCall = entriesPerCall / sendsPerOrder;
  for (let start = 0; start < orderIds.length; start += ordersPerCall) {
    const entries = orderIds
      .slice(start, start + ordersPerCall)
      .flatMap((orderId) => Array.from({ length: sendsPerOrder }, () => orderId))
      .map((orderId, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify({ orderId, total: 100 }),
        MessageAttributes: {
          'Sagabox.MessageId': { DataType: 'String', StringValue: `placed-${orderId}` },
          'Sagabox.MessageType': { DataType: 'String', StringValue: 'OrderPlaced' },
        },
      }));
    await sqsClient.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }), {
      abortSignal: signal,
    });
  }
}
