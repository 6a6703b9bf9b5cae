import { paginateScan } from '@aws-sdk/client-dynamodb';
import { describe } from '@jest/globals';
import { dynamoDBPorts } from '../support/dynamodb-ports.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { type ContractSubject, describePortsContract } from './ports-contract.ts';

const client = dynamoDBClient();

async function openTables(): Promise<ContractSubject> {
  const [sagaTable, outboxTable, userTable] = await Promise.all([
    createTable(),
    createTable(),
    createTable(),
  ]);
  return {
    ports: (endpoint, compressesState = false) =>
      dynamoDBPorts({ client, sagaTable, outboxTable, endpoint, compressesState }),
    userTable,
    committedUserKeys: () => userKeysIn(userTable),
  };
}

async function openSharedTable(): Promise<ContractSubject> {
  const tableName = await createTable();
  return {
    ports: (endpoint, compressesState = false) =>
      dynamoDBPorts({ client, sagaTable: tableName, endpoint, compressesState }),
    userTable: tableName,
    committedUserKeys: () => userKeysIn(tableName),
  };
}

async function userKeysIn(tableName: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName: tableName, ConsistentRead: true },
  )) {
    for (const item of Items) if (item.SK?.S === 'USER') keys.push(item.PK?.S ?? '');
  }
  return keys.toSorted();
}

describe('the ports on DynamoDB, a table for each', () => describePortsContract(openTables));
describe('the ports on DynamoDB, one table for all', () => describePortsContract(openSharedTable));
