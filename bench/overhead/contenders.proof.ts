import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { contenders } from './contenders.ts';
import { orderBatches } from './orders.ts';
import { stubClients } from './stub-clients.ts';

describe.each([
  ['sagabox', { BatchGetItemCommand: 1, PutItemCommand: 10 }],
  [
    'sagaboxSaga',
    {
      BatchGetItemCommand: 1,
      TransactWriteItemsCommand: 1,
      SendMessageBatchCommand: 1,
      BatchWriteItemCommand: 1,
    },
  ],
  ['powertools', { PutItemCommand: 10, UpdateItemCommand: 10 }],
  ['middy', {}],
] as const)('%s', (name, expectedCalls) => {
  const start = contenders[name];

  it('handles each message of a batch once, with its own calls and no others', async () => {
    const clients = stubClients();
    const handled: string[] = [];
    const handle = start(clients, ({ orderId }) => handled.push(orderId));
    const response = await handle(orderBatches(10)(), lambdaContext());
    expect(response).toEqual({ batchItemFailures: [] });
    expect(handled.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `order-${index}`));
    expect(Object.fromEntries(clients.calls)).toEqual(expectedCalls);
  });

  it('handles one batch after another', async () => {
    const handled: string[] = [];
    const nextEvent = orderBatches(1);
    const handle = start(stubClients(), ({ orderId }) => handled.push(orderId));
    for (let batch = 0; batch < 3; batch += 1) {
      expect(await handle(nextEvent(), lambdaContext())).toEqual({ batchItemFailures: [] });
    }
    expect(handled).toEqual(['order-0', 'order-0', 'order-0']);
  });
});

describe('a stub', () => {
  it('refuses what no contender is expected to call', async () => {
    const { dynamoDBClient, sqsClient } = stubClients();
    const unexpected = new ScanCommand({ TableName: 'any' });
    await expect(dynamoDBClient.send(unexpected)).rejects.toThrow('no answer to ScanCommand');
    await expect(sqsClient.send(unexpected as never)).rejects.toThrow('no answer to ScanCommand');
  });

  it('tells capacity to those who ask for it', async () => {
    const { dynamoDBClient } = stubClients();
    const put = { TableName: 'any', Item: {} };
    const asking = new PutItemCommand({ ...put, ReturnConsumedCapacity: 'TOTAL' });
    expect(await dynamoDBClient.send(asking)).toHaveProperty('ConsumedCapacity.CapacityUnits', 1);
    expect(await dynamoDBClient.send(new PutItemCommand(put))).toEqual({});
  });
});
