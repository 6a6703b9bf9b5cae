import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  createHandler,
  defineHandlers,
  defineSaga,
  type Locking,
  type MessageReport,
  type RelayOutboxOptions,
  type RelayRunResult,
  relayOutbox,
} from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { object, string } from 'valibot';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { comparableRequests } from './comparable-requests.ts';

/** Names and addresses of the endpoints whose items are stored. */
const destinations = {
  orders: 'https://sqs.us-east-1.amazonaws.com/123456789012/orders',
  billing: 'https://sqs.us-east-1.amazonaws.com/123456789012/billing',
  ledger: 'https://sqs.us-east-1.amazonaws.com/123456789012/ledger.fifo',
  events: 'arn:aws:sns:us-east-1:123456789012:events',
  bus: 'arn:aws:events:us-east-1:123456789012:event-bus/orders',
};
const scheduler = { groupName: 'orders', roleArn: 'arn:aws:iam::123456789012:role/orders-schedules' };

/** Today's runtime on a table of stored items. */
export function endpointOfToday(client: DynamoDBClient, tableName: string) {
  const { clients, takeRequests, destroy } = comparableRequests();
  const handled: string[] = [];
  const states: unknown[] = [];
  const orderSaga = defineSaga({
    name: 'OrderSaga',
    messages: { ItemAdded: object({ orderId: string() }), OrderPlaced: object({ orderId: string() }) },
    correlate: { ItemAdded: ({ orderId }) => orderId, OrderPlaced: ({ orderId }) => orderId },
    startedBy: ['OrderPlaced'],
    initialState: (): { items: string[] } => ({ items: [] }),
    handlers: {
      ItemAdded({ id }, { saga }) {
        states.push(structuredClone(saga.state));
        handled.push(id);
        saga.state.items.push(id);
      },
      OrderPlaced({ id }) {
        handled.push(id);
      },
    },
  });
  const others = defineHandlers({
    messages: { Redelivered: object({}) },
    handlers: { Redelivered: ({ id }) => void handled.push(id) },
  });
  const options = {
    ...clients,
    dynamoDBClient: client,
    outboxTable: { tableName },
    destinations,
    scheduler,
    logger: silentLogger,
    relayIndex: true,
  };
  return {
    takeRequests,
    destroy,
    /** The ids of the messages whose handlers ran. */
    handled,
    /** The states that handlers of sagas met. */
    states,
    async deliver(
      [endpoint, id]: readonly [string, string],
      { type = 'Redelivered', body = {}, locking }: { type?: string; body?: object; locking?: Locking } = {},
    ): Promise<{ returned: boolean; report: MessageReport | undefined }> {
      let report: MessageReport | undefined;
      const handler = createHandler([orderSaga, others], {
        ...options,
        endpoint,
        sagaTable: { tableName },
        ...(locking && { locking }),
        onMessage: (told) => {
          report = told;
        },
        recoverability: { immediateRetries: { maxRetries: 0 } },
        throwOnFullBatchFailure: false,
      });
      const { batchItemFailures } = await handler({ Records: [sqsRecord({ type, id, body })] });
      return { returned: batchItemFailures.length > 0, report };
    },
    async relay(endpoint: string, more: RelayOutboxOptions = {}): Promise<RelayRunResult> {
      return await relayOutbox({ ...options, endpoint, ...more })();
    },
  };
}
