import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context as LambdaContext } from 'aws-lambda';
import { createHandler, idempotencyKeyHeader, type OutboxSessionContext, outboxSession } from 'sagabox';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { httpApiEvent } from '../../test/support/http-events.ts';
import { interceptCalls } from '../../test/support/intercepted-calls.ts';
import { withClients } from '../../test/support/own-engines/clients.ts';
import { withEngines } from '../../test/support/own-engines/engines.ts';
import { Random } from '../../test/support/random.ts';
import { type Resources, withResources } from '../engines/resources.ts';
import { newOrder } from '../orders/order-data.ts';
import { eventOf, packed, placed, shipParcel, shipping } from '../orders/order-messages.ts';
import { orderSaga } from '../orders/order-saga.ts';
import { callChains, type Frame, fromDispatch } from './call-chains.ts';
import { touchedFiles } from './touched-files.ts';

export interface WarmPath {
  /** Functions of lib from the batch handler to the first call of the SDK, outermost first. */
  readonly toFirstCall: readonly Frame[];
  /** Functions of lib from the dispatch to `SendMessageBatch`, outermost first. */
  readonly toSend: readonly Frame[];
  /** Files of lib that a message of an existing saga touches, which sends one. */
  readonly filesOfRecord: readonly string[];
  /** Files of lib that a request of an outbox session touches, which sends one. */
  readonly filesOfRequest: readonly string[];
}

/** Lambda's part: nothing of lib is touched for it. */
const context: LambdaContext = { ...lambdaContext(), getRemainingTimeInMillis: () => 30_000 };

/** What the second message, and the second request, of a function pass on their way, on real engines. */
export async function measureWarmPath(signal: AbortSignal): Promise<WarmPath> {
  return await withEngines(
    (engines) => withClients(engines, (clients) => withResources(clients, 'house', passOnce)),
    signal,
  );
}

async function passOnce(resources: Resources): Promise<WarmPath> {
  const nextMessage = await messages(resources);
  const nextRequest = await requests(resources);
  const filesOfRecord = await touchedFiles('lib', nextMessage());
  const filesOfRequest = await touchedFiles('lib', nextRequest());
  const chains = await callChains('lib', async (mark) => {
    for (const client of [resources.dynamoDBClient, resources.sqsClient]) {
      interceptCalls(client, 'call', ({ operation, proceed }) => {
        mark(operation);
        return proceed();
      });
    }
    await nextMessage()();
  });
  const [toFirstCall = []] = chains.values();
  const toSend = fromDispatch(chains.get('SendMessageBatch') ?? []);
  return { toFirstCall, toSend, filesOfRecord, filesOfRequest };
}

/** A function of one saga that is warm, with its events made before they are measured. */
async function messages({ tableName, queueUrl, dynamoDBClient, sqsClient }: Resources) {
  const handler = createHandler(orderSaga, {
    endpoint: 'orders',
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: { [shipping]: queueUrl },
    dynamoDBClient,
    sqsClient,
    logger: silentLogger,
  });
  const orderId = 'order-1';
  await handler(eventOf([placed(orderId, newOrder(new Random(1), 1000))]), context);
  return () => {
    const event = eventOf([packed(orderId, [{ parcel: 1 }])]);
    return () => handler(event, context);
  };
}

async function requests({ tableName, queueUrl, dynamoDBClient, sqsClient }: Resources) {
  type Handle = (event: object, context: LambdaContext) => Promise<unknown>;
  const handler = middy(async (_event: APIGatewayProxyEventV2, { send }: OutboxSessionContext) => {
    send(shipping, shipParcel, { parcel: 1 });
    return { statusCode: 202 };
  }).use(
    outboxSession({
      endpoint: 'shop-api',
      outboxTable: { tableName },
      destinations: { [shipping]: queueUrl },
      idempotencyKey: idempotencyKeyHeader(),
      dynamoDBClient,
      sqsClient,
      logger: silentLogger,
    }),
  ) as unknown as Handle;
  const eventOfKey = (key: string) => httpApiEvent({ headers: { 'idempotency-key': `"${key}"` } });
  await handler(eventOfKey('request-1'), context);
  return () => {
    const event = eventOfKey('request-2');
    return () => handler(event, context);
  };
}
