import { expect, it } from '@jest/globals';
import { createHandler, defineSaga } from 'sagabox';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { listedFunctions } from '../support/listed-functions.ts';
import { ownFrames } from '../support/own-frames.ts';
import { record } from '../support/queue.ts';

const orderSaga = defineSaga({
  name: 'Order',
  messages: { OrderPlaced: z.object({ orderId: z.string() }) },
  correlate: { OrderPlaced: ({ orderId }) => orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ placed: 0 }),
  handlers: { OrderPlaced() {} },
});

it('a message goes through the functions that are listed, from its batch to the first call', async () => {
  const calls: (readonly string[])[] = [];
  const dynamoDB = dynamoDBClient();
  dynamoDB.middlewareStack.add(
    (next) => async (args) => {
      calls.push(ownFrames().filter((frame) => !frame.endsWith(': a nameless function')));
      return await next(args);
    },
    { step: 'initialize' },
  );
  const deliver = createHandler([orderSaga], {
    endpoint: 'orders',
    sagaTable: { tableName: await createTable() },
    outboxTable: { tableName: await createTable() },
    destinations: {},
    dynamoDBClient: dynamoDB,
    logger: silentLogger,
  });

  await deliver({ Records: [record('OrderPlaced', { orderId: 'order-42' })] });

  expect(calls[0]).toEqual(listedFunctions('The way in'));
});
