import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { SQSEvent } from 'aws-lambda';
import { sqsRecord } from '../engines/sqs-records.ts';

export interface OrderPlaced {
  readonly orderId: string;
  readonly customer: string;
  readonly total: number;
}

/** The same check for every contender: none of them pays for a schema library. */
export function orderFrom(body: unknown): OrderPlaced {
  if (typeof (body as Partial<OrderPlaced> | null)?.orderId === 'string') return body as OrderPlaced;
  throw new TypeError('An order has an orderId');
}

export const orderSchema: StandardSchemaV1<OrderPlaced> = {
  '~standard': { version: 1, vendor: 'sagabox', validate: (value) => ({ value: orderFrom(value) }) },
};

/** Batches as Lambda passes them to a function: parsed each time, as if they were different ones. */
export function orderBatches(records: number): () => SQSEvent {
  const Records = Array.from({ length: records }, (_, index) => {
    const id = `5f0c6a35-5b0e-4c6c-9a51-${String(index).padStart(12, '0')}`;
    const body: OrderPlaced = {
      orderId: `order-${index}`,
      customer: 'A customer of some renown',
      total: 129.9,
    };
    return sqsRecord({ id, type: 'OrderPlaced', body }, 'orders');
  });
  const text = JSON.stringify({ Records });
  return () => JSON.parse(text);
}
