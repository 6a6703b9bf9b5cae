import type { SQSClient } from '@aws-sdk/client-sqs';
import { createProducer, type ProducerMessage } from 'sagabox';
import { orders } from '../../lambdas/contracts.ts';

export function orderIds(orders: number): string[] {
  return Array.from({ length: orders }, (_, index) => `order-${String(index + 1).padStart(5, '0')}`);
}

/** Every order is sent twice: two SQS messages with one message id, as after a producer's retry. */
const sendsPerOrder = 2;
const ordersPerBatch = 10;

/** Places the orders from a program that is no handler. */
export async function placeOrders(
  sqsClient: SQSClient,
  queueUrl: string,
  orderIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const producer = createProducer({ queueUrl, contract: orders, sqsClient });
  for (let start = 0; start < orderIds.length; start += ordersPerBatch) {
    const batch = orderIds.slice(start, start + ordersPerBatch).map(
      (orderId): ProducerMessage<typeof orders> => ({
        type: 'OrderPlaced',
        body: { orderId, total: 100 },
        key: orderId,
      }),
    );
    for (let time = 0; time < sendsPerOrder; time += 1) {
      signal.throwIfAborted();
      await producer.sendBatch(batch);
    }
  }
}
