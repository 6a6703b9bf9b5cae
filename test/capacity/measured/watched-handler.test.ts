import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CreateHandlerOptions, createHandler, defineHandlers, sagaOutbox } from 'sagabox';
import { CallRecorder, formatReport } from 'sagabox/capacity';
import { sqsRecord } from 'sagabox/testing';
import { z } from 'zod';
import { lambdaContext } from '../../../lib/testing/lambda-context.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../../support/engines.ts';

let dynamoDB: DynamoDBClient;
let sqs: SQSClient;
let tableName: string;
let queueUrl: string;

beforeEach(async () => {
  [dynamoDB, sqs] = [dynamoDBClient(), sqsClient()];
  tableName = await createTable();
  queueUrl = await createQueue();
});
afterEach(() => {
  dynamoDB.destroy();
  sqs.destroy();
});

/** A handler of a project, which writes an item by itself too. */
function billing(options: Pick<CreateHandlerOptions, 'onMessage' | 'logger'> = {}) {
  const definition = defineHandlers({
    messages: { ChargeCard: z.object({ sends: z.number() }) },
    handlers: {
      async ChargeCard({ body }, { send }) {
        await dynamoDB.send(
          new PutItemCommand({
            TableName: tableName,
            Item: { PK: { S: 'charge' }, SK: { S: 'x' } },
            ReturnConsumedCapacity: 'TOTAL',
          }),
        );
        for (let index = 0; index < body.sends; index += 1) send('audit', 'CardCharged', { index });
      },
    },
  });
  return createHandler(definition, {
    throwOnFullBatchFailure: false,
    endpoint: 'billing',
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: { audit: queueUrl },
    dynamoDBClient: dynamoDB,
    sqsClient: sqs,
    ...options,
  });
}

async function deliver(handler: ReturnType<typeof billing>, id: string, sends: number): Promise<void> {
  const record = sqsRecord({ id, type: 'ChargeCard', body: { sends } });
  expect(await handler({ Records: [record] }, lambdaContext())).toEqual({ batchItemFailures: [] });
}

describe('a recorder on the clients of a handler', () => {
  it("sets its calls beside the plan, and the handler's own calls apart", async () => {
    const recorder = new CallRecorder();
    recorder.watch(dynamoDB, sqs);
    const handler = billing();
    await deliver(handler, 'm1', 2);
    await deliver(handler, 'm2', 2);

    const report = recorder.report({ outgoing: 2, messageBytes: 350 }, { messages: 2 });
    expect(report).toMatchObject({ isEqual: true, differences: [], doubts: [] });
    expect(report.predicted).toEqual(report.measured);
    expect(report.steps.map(({ step, measured }) => [step, measured.calls, measured.wcu])).toEqual([
      ['dedup check', 2, 0],
      ['commit', 2, 2],
      ['dispatch', 2, 0],
      ['mark', 2, 2],
      ['other', 2, 2],
    ]);
  });

  it('tells the steps that are not as planned', async () => {
    const recorder = new CallRecorder();
    recorder.watch(dynamoDB, sqs);
    await deliver(billing(), 'm1', 2);
    const { isEqual, differences } = recorder.report({ outgoing: 12, messageBytes: 600 });
    expect(isEqual).toBe(false);
    expect(differences).toEqual([
      'commit (PutItem): 1 WCU in place of 4',
      'dispatch (SendMessageBatch): 1 calls in place of 2, 2 items in place of 12',
      'mark (BatchWriteItem): 1 WCU in place of 4',
    ]);
  });

  it('sees nothing any more once it is stopped, and can start again', async () => {
    const recorder = new CallRecorder();
    const stop = recorder.watch(dynamoDB, sqs);
    const handler = billing();
    stop();
    await deliver(handler, 'm1', 0);
    expect(recorder.calls).toEqual([]);
    recorder.watch(dynamoDB, sqs);
    await deliver(handler, 'm2', 0);
    expect(recorder.calls.map(({ operation }) => operation)).toEqual(['BatchGetItem', 'PutItem', 'PutItem']);
  });

  it('watches a client beside another one, and hands its calls out', async () => {
    const [one, other] = [new CallRecorder(), new CallRecorder()];
    one.watch(dynamoDB, sqs);
    const stop = other.watch(dynamoDB, sqs);
    const handler = billing();
    await deliver(handler, 'm1', 0);
    stop();
    await deliver(handler, 'm2', 0);
    expect([one.calls.length, other.calls.length]).toEqual([6, 3]);
    expect(other.take()).toHaveLength(3);
    expect(other.take()).toEqual([]);
  });

  it('refuses a shape that is none', () => {
    expect(() => new CallRecorder().report({ sagaBytes: -1 })).toThrow('sagaBytes');
  });

  it('counts the messages by itself when it is the observer of the handler', async () => {
    const recorder = new CallRecorder();
    recorder.watch(dynamoDB, sqs);
    const handler = billing({ onMessage: recorder.onMessage });
    for (const id of ['m1', 'm2', 'm2']) await deliver(handler, id, 2);
    expect(recorder.messages).toEqual([
      expect.objectContaining({ messageType: 'ChargeCard', outcome: 'handled', count: 2 }),
      expect.objectContaining({ messageType: 'ChargeCard', outcome: 'duplicate', count: 1 }),
    ]);
    expect(recorder.messages[0]?.capacity.writeUnits).toBe(4);

    const report = recorder.report({ outgoing: 2, messageBytes: 350 });
    expect(report).toMatchObject({ messages: 3, isEqual: true, differences: [], doubts: [] });
    expect(report.steps[0]).toMatchObject({ step: 'dedup check', measured: { calls: 3, rcu: 3 } });
    expect(recorder.report({ outgoing: 2, messageBytes: 350 }, { messages: 1 }).isEqual).toBe(false);

    recorder.take();
    expect(recorder.messages).toEqual([]);
  });

  it('is not certain of messages that end as no plan tells', async () => {
    const recorder = new CallRecorder();
    recorder.watch(dynamoDB, sqs);
    const record = sqsRecord({ id: 'm1', type: 'ChargeCard', body: { sends: 'two' } });
    await billing({ logger: silentLogger, onMessage: recorder.onMessage })(
      { Records: [record] },
      lambdaContext(),
    );
    expect(recorder.report({}).doubts).toContain(
      '1 attempt at ChargeCard ended as failed, which is not planned',
    );
  });

  it('prints its report as the command does', async () => {
    const recorder = new CallRecorder();
    recorder.watch(dynamoDB, sqs);
    const handler = billing({ onMessage: recorder.onMessage });
    for (const id of ['m1', 'm2']) await deliver(handler, id, 2);
    expect(formatReport(recorder.report({ outgoing: 2, messageBytes: 350 })).split('\n')).toEqual([
      '                                                predicted                       measured',
      'step         call              calls  items    RCU    WCU     calls  items    RCU    WCU',
      'dedup check  BatchGetItem          1      1      1      0         1      1      1      0',
      'commit       PutItem               1      1      0      1         1      1      0      1',
      'dispatch     SendMessageBatch      1      2      0      0         1      2      0      0',
      'mark         BatchWriteItem        1      1      0      1         1      1      0      1',
      'other        PutItem               0      0      0      0         1      1      0      1   (of the handler itself)',
      'sum                                4      5      1      2         4      5      1      2',
      '',
      'Every step takes what was predicted.',
    ]);
    expect(
      formatReport(recorder.report({ outgoing: 1 }))
        .split('\n')
        .at(-1),
    ).toMatch(/^Not as predicted, in all: dispatch \(SendMessageBatch\)/);
  });

  it('is an observer that sagaOutbox takes too', () => {
    const { onMessage } = new CallRecorder();
    expect(() => sagaOutbox({ endpoint: 'billing', dynamoDBClient: dynamoDB, onMessage })).not.toThrow();
  });
});
