import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

/** Clients that answer at once, without serializing: what is left is the code around the SDK. */
export interface StubClients {
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
  /** How often each command was sent. */
  readonly calls: ReadonlyMap<string, number>;
}

/** A command without an answer here is one that no contender is expected to send. */
export function stubClients(): StubClients {
  const calls = new Map<string, number>();
  const answering = (answer: (command: object) => object) => async (command: object) => {
    const name = command.constructor.name;
    calls.set(name, (calls.get(name) ?? 0) + 1);
    return answer(command);
  };
  const settings = { region: 'eu-west-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };
  return {
    dynamoDBClient: Object.assign(new DynamoDBClient(settings), { send: answering(dynamoDBAnswer) }),
    sqsClient: Object.assign(new SQSClient(settings), { send: answering(sqsAnswer) }),
    calls,
  };
}

/** No item is found, and every condition holds: each message is a new one. */
function dynamoDBAnswer(command: object): object {
  if (command instanceof BatchGetItemCommand || command instanceof BatchWriteItemCommand) {
    const tables = Object.keys(command.input.RequestItems ?? {});
    return {
      Responses: Object.fromEntries(tables.map((table) => [table, []])),
      ConsumedCapacity: tables.map((TableName) => ({ TableName, CapacityUnits: 1 })),
    };
  }
  if (command instanceof TransactWriteItemsCommand) {
    const TableName = command.input.TransactItems?.[0]?.Put?.TableName;
    return { ConsumedCapacity: [{ TableName, CapacityUnits: 4 }] };
  }
  if (command instanceof PutItemCommand || command instanceof UpdateItemCommand) {
    const { ReturnConsumedCapacity: asked, TableName } = command.input;
    return asked === undefined ? {} : { ConsumedCapacity: { TableName, CapacityUnits: 1 } };
  }
  throw new Error(`The stub of DynamoDB has no answer to ${command.constructor.name}`);
}

function sqsAnswer(command: object): object {
  if (!(command instanceof SendMessageBatchCommand)) {
    throw new Error(`The stub of SQS has no answer to ${command.constructor.name}`);
  }
  const entries = command.input.Entries ?? [];
  return { Successful: entries.map(({ Id }) => ({ Id, MessageId: Id, MD5OfMessageBody: '' })), Failed: [] };
}
