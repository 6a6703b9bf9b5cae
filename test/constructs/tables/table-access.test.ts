import { randomBytes } from 'node:crypto';
import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { type CreateHandlerOptions, createHandler, defineSaga } from 'sagabox';
import { MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';
import { number, object, string } from 'valibot';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../../support/engines.ts';
import { record } from '../../support/queue.ts';
import { allowedActions, inlineFunction, unbundledStack } from '../support.ts';

/** Three of them are more than one outbox item holds, compressed too. */
const largeText = () => randomBytes(150_000).toString('base64');

const saga = defineSaga({
  name: 'Exercise',
  messages: { Begin: object({ id: string(), large: number() }), End: object({ id: string() }) },
  correlate: { Begin: (body) => body.id, End: (body) => body.id },
  startedBy: ['Begin'],
  initialState: () => ({ begun: 0 }),
  handlers: {
    async Begin({ body }, { saga, send }) {
      saga.state.begun += 1;
      for (let sent = 0; sent < body.large; sent += 1) send('target', 'Large', { text: largeText() });
    },
    async End(_message, { saga, send }) {
      send('target', 'Ended', {});
      saga.complete();
    },
  },
});

interface SentCommand {
  readonly name: string;
  readonly input: unknown;
}

/**
 * The engines of the tests check no permissions, so that a missing one would show only in the cloud: here the runtime
 * does all that it can do, and its calls are held against the grants, which must be neither fewer nor more.
 */
describe('the permissions of an endpoint', () => {
  const commands: SentCommand[] = [];
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
    recordCommands(dynamoDB, (command) => commands.push(command));
    recordCommands(sqs, (command) => {
      commands.push(command);
      if (!canSend) throw new Error('no network');
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
    expect(await failuresOf(record('End', { id: '1' }))).toBe(0);
    expect(await failuresOf(record('End', {}))).toBe(0);
    expect(await failuresOf(record('End', { id: 'of no saga' }))).toBe(0);
    expect(await failuresOf(record('Begin', { id: '2', large: 0 }), pessimistic)).toBe(0);
    expect(await failuresOf(record('End', { id: '2' }), pessimistic)).toBe(0);
  }, 30_000);

  afterAll(() => {
    dynamoDB.destroy();
    sqs.destroy();
  });

  it('to sagas are those of the calls that the runtime makes', () => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas').grantSagaAccess(inlineFunction(stack, 'Function'));
    expect(allowedActions(stack)['Allow Sagas']).toEqual(actionsOn(sagaTableName));
  });

  it('to the outbox are those of the calls that the runtime makes', () => {
    const stack = unbundledStack();
    new OutboxTable(stack, 'Outbox').grantOutboxAccess(inlineFunction(stack, 'Function'));
    expect(allowedActions(stack)['Allow Outbox']).toEqual(actionsOn(outboxTableName));
  });

  it('to queues are to send, with nothing asked before, and to delay what failed in its own', () => {
    const calls = commands.filter(({ input }) => 'QueueUrl' in (input as object));
    expect([...new Set(calls.map(({ name }) => name))].sort()).toEqual([
      'ChangeMessageVisibilityBatch',
      'SendMessage',
      'SendMessageBatch',
    ]);
    const delays = calls.filter(({ name }) => name === 'ChangeMessageVisibilityBatch');
    expect(delays.map(({ input }) => (input as { QueueUrl: string }).QueueUrl)).toEqual([ownQueueUrl]);

    const stack = unbundledStack();
    new MessageEndpoint(stack, 'Orders', { function: inlineFunction(stack, 'Own') });
    expect(allowedActions(stack)).toMatchObject({
      'Allow OrdersQueue': expect.arrayContaining(['sqs:ChangeMessageVisibility']),
      'Allow OrdersErrorQueue': ['sqs:SendMessage'],
    });
  });

  function actionsOn(tableName: string): string[] {
    const actions = commands.flatMap(actionsOf).filter(([table]) => table === tableName);
    return [...new Set(actions.map(([, action]) => action))].sort();
  }
});

/** The part of the SDK's clients that sees every call before it is made. */
interface RecordedClient {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: never) => Promise<unknown>,
        context: { commandName?: string },
      ) => (args: never) => Promise<unknown>,
      options: { step: 'initialize'; name: string },
    ): void;
  };
}

function recordCommands(client: RecordedClient, onCommand: (command: SentCommand) => void): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        onCommand({ name: commandName.replace(/Command$/, ''), input: (args as { input: unknown }).input });
        return await next(args);
      },
    { step: 'initialize', name: 'recordCommands' },
  );
}

/** The action that each part of a call needs, with its table. */
function actionsOf({ name, input }: SentCommand): [table: string | undefined, action: string][] {
  if (name === 'TransactWriteItems') {
    return (input as { TransactItems: TransactWriteItem[] }).TransactItems.map(actionOfWrite);
  }
  if (name === 'BatchGetItem' || name === 'BatchWriteItem') {
    const { RequestItems } = input as { RequestItems: Record<string, unknown> };
    return Object.keys(RequestItems).map((table) => [table, `dynamodb:${name}`]);
  }
  return [[(input as { TableName?: string }).TableName, `dynamodb:${name}`]];
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
