// npx node --conditions=sagabox-source examples/observability/run.ts
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { Context } from 'aws-lambda';
import { sqsEvent } from 'sagabox/testing';
import { withClients } from '../../test/support/own-engines/clients.ts';
import { withEngines } from '../../test/support/own-engines/engines.ts';
import { withQueue } from '../../test/support/own-engines/queues.ts';
import { withTable } from '../../test/support/own-engines/tables.ts';

const lambdaContext = {
  functionName: 'shop',
  memoryLimitInMB: '512',
  getRemainingTimeInMillis: () => 10_000,
};

/** Invokes a function as Lambda does: it is loaded in its environment. */
async function invoke(endpoint: 'orders' | 'billing', type: string, body: object): Promise<void> {
  process.env.SAGABOX_ENDPOINT = endpoint;
  const { handler } = await import(`./${endpoint}.ts`);
  await handler(sqsEvent([{ type, id: `${type}-1`, body }]), lambdaContext as Partial<Context> as Context);
}

await withEngines((engines) =>
  withClients(engines, ({ dynamoDBClient, sqsClient }) =>
    withTable(dynamoDBClient, 'outbox', (table) =>
      withQueue(sqsClient, 'billing', {}, (billing) =>
        withQueue(sqsClient, 'receipts', {}, async (receipts) => {
          Object.assign(process.env, {
            AWS_ACCESS_KEY_ID: 'local',
            AWS_SECRET_ACCESS_KEY: 'local',
            AWS_REGION: 'us-east-1',
            AWS_ENDPOINT_URL_DYNAMODB: engines.dynamoDBEndpoint,
            AWS_ENDPOINT_URL_SQS: engines.sqsEndpoint,
            SAGABOX_OUTBOX_TABLE: table,
            SAGABOX_DESTINATIONS: JSON.stringify({ billing, receipts }),
          });
          await invoke('orders', 'OrderPlaced', { orderId: '7' });
          const { Messages: [message] = [] } = await sqsClient.send(
            new ReceiveMessageCommand({ QueueUrl: billing, WaitTimeSeconds: 1 }),
          );
          await invoke('billing', 'ChargeCard', JSON.parse(message?.Body ?? '{}'));
        }),
      ),
    ),
  ),
);
