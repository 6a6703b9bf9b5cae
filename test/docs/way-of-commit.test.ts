import { afterEach, expect, it, jest } from '@jest/globals';
import { createHandler } from 'sagabox';
import { SagaGroup } from '../../lib/attempt/saga-queue/saga-group.ts';
import { CommitMerger, type CommitPart } from '../../lib/outbox/commit/commit-merger.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { chargingSaga } from '../support/charging-saga.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { listedFunctions } from '../support/listed-functions.ts';
import { ownFrames } from '../support/own-frames.ts';
import { record } from '../support/queue.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

it('a message goes through the functions that are listed, from its handler to TransactWriteItems', async () => {
  // A group is committed for all of its messages, and a transaction for all of its commits: each of them waits for a
  // promise of its own. So the way is put together of three stacks.
  let untilEnd: readonly string[] = [];
  const end = jest.spyOn(SagaGroup.prototype, 'end').mockImplementation(function (this: SagaGroup) {
    untilEnd = [...ownFrames(), 'attempt/saga-queue/saga-group.ts: SagaGroup.end'];
    end.mockRestore();
    this.end();
  });
  let untilMerged: readonly string[] = [];
  const { commit } = CommitMerger.prototype;
  jest.spyOn(CommitMerger.prototype, 'commit').mockImplementation(function (
    this: CommitMerger<CommitPart>,
    part,
  ) {
    untilMerged = [...ownFrames(), 'outbox/commit/commit-merger.ts: CommitMerger.commit'];
    return commit.call(this, part);
  });
  let untilCall: readonly string[] = [];
  const dynamoDB = dynamoDBClient();
  dynamoDB.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') untilCall = ownFrames();
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
  const start = untilEnd.indexOf('pipeline/complete.ts: complete');
  expect([...untilEnd.slice(start), ...untilMerged, ...untilCall]).toEqual(
    listedFunctions('The way of the commit'),
  );
});
