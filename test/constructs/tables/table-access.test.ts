import { randomBytes } from 'node:crypto';
import type {
  BatchExecuteStatementCommandInput,
  DynamoDBClient,
  TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { type CreateHandlerOptions, createHandler, defineSaga } from 'sagabox';
import { MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';
import { number, object, string } from 'valibot';
import type { SagaOutboxForm } from '../../../lib/saga/definition/outbox-form.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../../support/engines.ts';
import { type InterceptedCall, interceptCalls } from '../../support/intercepted-calls.ts';
import { outboxOfForm } from '../../support/outbox-of-form.ts';
import { record } from '../../support/queue.ts';
import { allowedActions, inlineEndpoint, inlineFunction, unbundledStack } from '../support.ts';

/** Three of them are more than one outbox item holds, compressed too. */
const largeText = () => randomBytes(150_000).toString('base64');

const exercise = (form: SagaOutboxForm) =>
  defineSaga({
    name: 'Exercise',
    outbox: outboxOfForm(form),
    messages: {
      Begin: object({ id: string(), large: number() }),
      Add: object({ id: string() }),
      Collect: object({ id: string() }),
      End: object({ id: string() }),
    },
    correlate: {
      Begin: (body) => body.id,
      Add: (body) => body.id,
      Collect: (body) => body.id,
      End: (body) => body.id,
    },
    startedBy: ['Begin'],
    ...(form === 'records' && { appendedBy: ['Add'], collectedBy: ['Collect'] }),
    initialState: () => ({ begun: 0 }),
    handlers: {
      async Begin({ body }, { saga, send }) {
        saga.state.begun += 1;
        for (let sent = 0; sent < body.large; sent += 1) send('target', 'Large', { text: largeText() });
      },
      Add: (_message, { saga }) => saga.append('added', 1),
      async Collect(_message, { saga }) {
        await saga.collect('added');
      },
      async End(_message, { saga, send }) {
        send('target', 'Ended', {});
        saga.complete();
      },
    },
  });
const saga = exercise('records');

/**
 * The engines of the tests check no permissions, so that a missing one would show only in the cloud: here the
 * runtime does all that it can do, and its calls are held against the grants, which must be neither fewer nor
 * more.
 */
describe('the permissions of an endpoint', () => {
  const calls: InterceptedCall[] = [];
  let callsOfEmbedded: InterceptedCall[];
  let callsOfBoth: InterceptedCall[];
  let dynamoDB: DynamoDBClient;
  let sqs: SQSClient;
  let sagaTableName: string;
  let outboxTableName: string;
  let ownQueueUrl: string;

  beforeAll(async () => {
    dynamoDB = dynamoDBClient();
    sqs = sqsClient();
    sagaTableName = await createTable();
    outboxTableName = await createTable();
    const target = await createQueue();
    const own = await createQueue();
    ownQueueUrl = own;
    let canSend = true;
    interceptCalls(dynamoDB, 'call', (call) => {
      calls.push(call);
      return call.proceed();
    });
    interceptCalls(sqs, 'call', async (call) => {
      calls.push(call);
      if (!canSend) throw new Error('no network');
      return await call.proceed();
    });
    const options: CreateHandlerOptions = {
      endpoint: 'exercise',
      sagaTable: { tableName: sagaTableName },
      outboxTable: { tableName: outboxTableName },
      destinations: { target, exercise: own },
      errorQueueUrl: await createQueue(),
      dynamoDBClient: dynamoDB,
      sqsClient: sqs,
      throwOnFullBatchFailure: false,
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      recoverability: { immediateRetries: { maxRetries: 0 } },
    };
    const optimistic = createHandler(saga, options);
    const pessimistic = createHandler(saga, { ...options, locking: { mode: 'pessimistic' } });
    const failuresOf = async (message: SQSRecord, handler = optimistic) =>
      (await handler({ Records: [message] })).batchItemFailures.length;

    const arn = `arn:aws:sqs:us-east-1:000000000000:${own.split('/').at(-1)}`;
    const large = record('Begin', { id: '1', large: 3 }, 'large', { eventSourceARN: arn });
    canSend = false;
    expect(await failuresOf(large)).toBe(1);
    canSend = true;
    expect(await failuresOf(large)).toBe(0);
    expect(await failuresOf(record('Begin', { id: '1', large: 0 }))).toBe(0);
    for (const type of ['Add', 'Collect', 'End']) expect(await failuresOf(record(type, { id: '1' }))).toBe(0);
    expect(await failuresOf(record('End', {}))).toBe(0);
    expect(await failuresOf(record('End', { id: 'of no saga' }))).toBe(0);
    expect(await failuresOf(record('Begin', { id: '2', large: 0 }), pessimistic)).toBe(0);
    expect(await failuresOf(record('End', { id: '2' }), pessimistic)).toBe(0);

    const before = calls.length;
    const embedded = createHandler(exercise('embedded'), options);
    const deliver = async (...Records: SQSRecord[]) =>
      expect((await embedded({ Records })).batchItemFailures).toEqual([]);
    for (const large of [0, 1])
      await deliver(...['3', '4'].map((id) => record('Begin', { id, large }, `begin ${id} ${large}`)));
    await deliver(record('Begin', { id: '3', large: 3 }, 'embedded large'));
    await deliver(record('End', { id: '3' }), record('End', { id: '5' }));
    callsOfEmbedded = calls.splice(before);
    const both = createHandler(exercise('both'), options);
    for (const message of ['6', '3'].map((id) => record('Begin', { id, large: 1 }, `both ${id}`)))
      expect((await both({ Records: [message] })).batchItemFailures).toEqual([]);
    for (const id of ['6', 'none'])
      expect((await both({ Records: [record('End', { id })] })).batchItemFailures).toEqual([]);
    callsOfBoth = calls.splice(before);
  });

  it('to sagas are those of the calls that the runtime makes', () => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas').grantSagaAccess(inlineFunction(stack, 'Function'));
    expect(allowedActions(stack)['Allow Sagas']).toEqual(actionsOn(sagaTableName, calls));
  });

  it('to sagas with an embedded outbox are those of these calls, beside those to sagas without one', () => {
    const stack = unbundledStack();
    const sagaTable = new SagaTable(stack, 'Sagas');
    const outboxTable = new OutboxTable(stack, 'Outbox');
    inlineEndpoint(stack, 'Records', { sagaTable, outboxTable });
    inlineEndpoint(stack, 'Embedded', { sagaTable, outboxTable, embeddedOutbox: true });
    const [without = [], granted = []] = ['Records', 'Embedded'].map(
      (id) => allowedActions(stack, `${id}Own`)['Allow Sagas'],
    );
    const added = granted.filter((action) => !without.includes(action));
    const called = actionsOn(sagaTableName, callsOfEmbedded);
    expect(called).toEqual(['dynamodb:BatchGetItem', ...added, 'dynamodb:UpdateItem']);
    expect(granted).toEqual(expect.arrayContaining(actionsOn(sagaTableName, callsOfBoth)));

    const own = unbundledStack();
    const ownTable = new SagaTable(own, 'Sagas');
    const ownFunction = inlineFunction(own, 'Function');
    ownTable.grantSagaAccess(ownFunction, true);
    expect(allowedActions(own)['Allow Sagas']).toEqual(granted);
    expect(() => ownTable.grantSagaAccess(ownFunction, 'yes' as never)).toThrow('embeddedOutbox: ');
  });

  it('to the outbox are those of the calls that the runtime makes', () => {
    const stack = unbundledStack();
    new OutboxTable(stack, 'Outbox').grantOutboxAccess(inlineFunction(stack, 'Function'));
    expect(allowedActions(stack)['Allow Outbox']).toEqual(actionsOn(outboxTableName));
  });

  it('to queues are to send, with nothing asked before, and to delay what failed in its own', () => {
    const toQueues = calls.filter(({ input }) => 'QueueUrl' in input);
    expect([...new Set(toQueues.map(({ operation }) => operation))].sort()).toEqual([
      'ChangeMessageVisibilityBatch',
      'SendMessage',
      'SendMessageBatch',
    ]);
    const delays = toQueues.filter(({ operation }) => operation === 'ChangeMessageVisibilityBatch');
    expect(delays.map(({ input }) => (input as { QueueUrl: string }).QueueUrl)).toEqual([ownQueueUrl]);

    const stack = unbundledStack();
    new MessageEndpoint(stack, 'Orders', { function: inlineFunction(stack, 'Own') });
    expect(allowedActions(stack)).toMatchObject({
      'Allow OrdersQueue': expect.arrayContaining(['sqs:ChangeMessageVisibility']),
      'Allow OrdersErrorQueue': ['sqs:SendMessage'],
    });
  });

  function actionsOn(tableName: string, made = calls): string[] {
    const actions = made.flatMap(actionsOf).filter(([table]) => table === tableName);
    return [...new Set(actions.map(([, action]) => action))].sort();
  }
});

/** The action that each part of a call needs, with its table. */
function actionsOf({ operation, input }: InterceptedCall): [table: string | undefined, action: string][] {
  if (operation === 'TransactWriteItems') {
    return (input as { TransactItems: TransactWriteItem[] }).TransactItems.map(actionOfWrite);
  }
  if (operation === 'BatchGetItem' || operation === 'BatchWriteItem') {
    const { RequestItems } = input as { RequestItems: Record<string, unknown> };
    return Object.keys(RequestItems).map((table) => [table, `dynamodb:${operation}`]);
  }
  if (operation === 'BatchExecuteStatement') {
    const { Statements = [] } = input as BatchExecuteStatementCommandInput;
    return Statements.map(({ Statement = '' }) => {
      const [, verb, table] = /^(UPDATE|INSERT INTO) "([^"]+)"/.exec(Statement) ?? [];
      return [table, `dynamodb:PartiQL${verb === 'UPDATE' ? 'Update' : 'Insert'}`];
    });
  }
  return [[(input as { TableName?: string }).TableName, `dynamodb:${operation}`]];
}

function actionOfWrite({
  Put,
  Update,
  Delete,
  ConditionCheck,
}: TransactWriteItem): [string | undefined, string] {
  if (Put) return [Put.TableName, 'dynamodb:PutItem'];
  if (Update) return [Update.TableName, 'dynamodb:UpdateItem'];
  if (Delete) return [Delete.TableName, 'dynamodb:DeleteItem'];
  return [ConditionCheck?.TableName, 'dynamodb:ConditionCheckItem'];
}
