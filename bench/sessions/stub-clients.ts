import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Item } from '../cost/contenders.ts';
import type { SessionClients } from './contenders.ts';

/**
 * Clients that answer at once, without serializing: what is left is the code around the SDK.
 *
 * @param stored what the table holds for the request; without it each request is the first one
 */
export function sessionStubs(stored: Item | undefined): SessionClients {
  const settings = { region: 'eu-west-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };
  const dynamoDBClient = new DynamoDBClient(settings);
  const sqsClient = new SQSClient(settings);
  const send = async (command: object) => answer(command, stored);
  const unexpected = async (command: object) => {
    throw new Error(`The stub of SQS has no answer to ${command.constructor.name}`);
  };
  return {
    dynamoDBClient: Object.assign(dynamoDBClient, { send }),
    sqsClient: Object.assign(sqsClient, { send: unexpected }),
  };
}

function answer(command: object, stored: Item | undefined): object {
  if (command instanceof BatchGetItemCommand) {
    const tables = Object.keys(command.input.RequestItems ?? {});
    return {
      Responses: Object.fromEntries(tables.map((table) => [table, stored ? [stored] : []])),
      ConsumedCapacity: tables.map((TableName) => ({ TableName, CapacityUnits: 1 })),
    };
  }
  if (!(command instanceof PutItemCommand || command instanceof UpdateItemCommand))
    throw new Error(`The stub of DynamoDB has no answer to ${command.constructor.name}`);
  if (stored !== undefined) {
    const message = 'The conditional request failed';
    throw new ConditionalCheckFailedException({ $metadata: {}, message, Item: stored });
  }
  const { ReturnConsumedCapacity: asked, TableName } = command.input;
  return asked === undefined ? {} : { ConsumedCapacity: { TableName, CapacityUnits: 1 } };
}
