import { afterEach, expect, it, jest } from '@jest/globals';
import { createHandler } from 'sagabox';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { chargingSaga } from '../support/charging-saga.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { listedFunctions } from '../support/listed-functions.ts';
import { ownFrames } from '../support/own-frames.ts';
import { drain, record } from '../support/queue.ts';

/** Nothing if the stack does not lead back to the dispatch. */
function sinceDispatch(): readonly string[] {
  const frames = ownFrames();
  const start = frames.indexOf('pipeline/dispatch.ts: dispatchAndMark');
  return start === -1 ? [] : frames.slice(start);
}

afterEach(() => {
  jest.restoreAllMocks();
});

it('a message goes through the functions that are listed, from its dispatch to SendMessageBatch', async () => {
  const sqs = sqsClient();
  const billing = await createQueue();
  let atCall: readonly string[] = [];
  sqs.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'SendMessageBatchCommand') atCall = sinceDispatch();
        return await next(args);
      },
    { step: 'initialize' },
  );
  // A function that hands on what another one returns is on no stack later: this one is looked at before any wait.
  let atStart: readonly string[] = [];
  const { throwIfAborted } = AbortSignal.prototype;
  jest.spyOn(AbortSignal.prototype, 'throwIfAborted').mockImplementation(function (this: AbortSignal) {
    const frames = sinceDispatch();
    if (atCall.length === 0 && frames.length > atStart.length) atStart = frames;
    throwIfAborted.call(this);
  });
  const deliver = createHandler([chargingSaga], {
    endpoint: 'orders',
    sagaTable: { tableName: await createTable() },
    outboxTable: { tableName: await createTable() },
    destinations: { billing },
    dynamoDBClient: dynamoDBClient(),
    sqsClient: sqs,
    logger: silentLogger,
  });

  await deliver({ Records: [record('OrderPlaced', { orderId: 'order-42' })] });

  expect(await drain(sqsClient(), billing)).toHaveLength(1);
  expect(atCall).toEqual(listedFunctions('The way out'));
  expect(atStart).toEqual(listedFunctions('The way out').slice(0, 4));
  expect(listedFunctions('The way out').length).toBeLessThanOrEqual(6);
});
