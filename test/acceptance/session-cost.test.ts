import { describe, expect, it } from '@jest/globals';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { idempotencyKeyHeader, type OutboxSessionContext, outboxSession } from 'sagabox';
import { CallRecorder } from 'sagabox/capacity';
import { sum, sumOfUnits } from '../../lib/capacity/steps.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { httpApiEvent } from '../support/http-events.ts';

const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };

/** What a request takes whose handler sends so many messages. */
async function unitsOf(outgoing: number, hasKey: boolean) {
  const tableName = await createTable();
  const send = async (_event: APIGatewayProxyEventV2, { send }: OutboxSessionContext) => {
    for (let index = 0; index < outgoing; index += 1) send('orders', 'OrderPlaced', { index });
    return { statusCode: 202 };
  };
  const session = outboxSession({
    endpoint: 'api',
    outboxTable: { tableName },
    destinations: { orders: await createQueue() },
    ...(hasKey && { idempotencyKey: idempotencyKeyHeader() }),
    logger: silentLogger,
    ...clients,
  });
  const handler = middy(send).use(session);
  const recorder = new CallRecorder();
  const stop = recorder.watch(clients.dynamoDBClient, clients.sqsClient);
  await handler(httpApiEvent({ headers: { 'idempotency-key': '"order-42"' } }), lambdaContext() as never);
  stop();
  const { rcu, wcu } = sumOfUnits(recorder.calls.map(({ units }) => units));
  return { rcu, wcu, refusedWcu: sum(recorder.calls, ({ refusedWcu }) => refusedWcu) };
}

describe('Cost: a session', () => {
  it.each([
    [1, false, 0],
    [10, false, 0],
    [1, true, 1],
    [10, true, 1],
  ])('that sends %i messages takes two write units (with a key: %s)', async (outgoing, hasKey, rcu) => {
    expect(await unitsOf(outgoing, hasKey)).toEqual({ rcu, wcu: 2, refusedWcu: 0 });
  });
});
