import type { Context as LambdaContext, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { OrderPlaced } from './orders.ts';
import type { StubClients } from './stub-clients.ts';

type BatchHandler = (event: SQSEvent, context: LambdaContext) => Promise<SQSBatchResponse>;

/** One way to handle the same batches of orders. */
export interface Contender {
  readonly name: string;
  /** @param effect what the handler of one message does */
  readonly start: (clients: StubClients, effect: (order: OrderPlaced) => void) => BatchHandler;
}
