import { expect, it, jest } from '@jest/globals';
import { createHandler } from 'sagabox';
import { RequestBatcher } from '../../lib/kernel/calls/request-batcher.ts';
import { AttemptState } from '../../lib/pipeline/attempt-state.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { chargingSaga } from '../support/charging-saga.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { listedFunctions } from '../support/listed-functions.ts';
import { ownFrames } from '../support/own-frames.ts';
import { record } from '../support/queue.ts';

const namedFrames = () => ownFrames().filter((frame) => !frame.endsWith(': a nameless function'));

it('a message goes through the functions that are listed, from its batch to the first call', async () => {
  // Two promises are awaited by nobody on the way: an attempt that is given up goes on, and a group of reads answers
  // each of them. So the way is put together of three stacks.
  const stacks: (readonly string[])[] = [];
  const begin = jest.spyOn(AttemptState.prototype, 'begin').mockImplementation(function (this: AttemptState) {
    stacks.push(namedFrames());
    begin.mockRestore();
    this.begin();
  });
  const add = jest.spyOn(RequestBatcher.prototype, 'add').mockImplementation(function (
    this: RequestBatcher<unknown, unknown>,
    request,
  ) {
    stacks.push([...namedFrames(), 'kernel/calls/request-batcher.ts: RequestBatcher.add']);
    add.mockRestore();
    return this.add(request);
  });
  const dynamoDB = dynamoDBClient();
  dynamoDB.middlewareStack.add(
    (next) => async (args) => {
      stacks.push(namedFrames());
      return await next(args);
    },
    { step: 'initialize' },
  );
  const deliver = createHandler([chargingSaga], {
    endpoint: 'orders',
    sagaTable: { tableName: await createTable() },
    outboxTable: { tableName: await createTable() },
    destinations: { billing: await createQueue() },
    dynamoDBClient: dynamoDB,
    sqsClient: sqsClient(),
    logger: silentLogger,
  });

  await deliver({ Records: [record('OrderPlaced', { orderId: 'order-42' })] });

  const [untilAttempt = [], untilRead = [], untilCall = []] = stacks;
  const [firstOfAttempt = ''] = untilRead;
  const way = [...untilAttempt.slice(0, untilAttempt.indexOf(firstOfAttempt)), ...untilRead, ...untilCall];
  expect(way).toEqual(listedFunctions('The way in'));
});
