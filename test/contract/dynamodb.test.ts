import { paginateScan } from '@aws-sdk/client-dynamodb';
import { describe } from '@jest/globals';
import { dynamoDBPorts } from '../support/dynamodb-ports.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { cells } from '../support/samples.ts';
import { type ContractSubject, describePortsContract, portsContract } from './ports-contract.ts';

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

describe('the ports on DynamoDB, one table for all', () => describePortsContract(openSharedTable));
// Tables of their own meet each other in commits, and what a commit has written shows where it went.
describe('the ports on DynamoDB, a table for each', () => {
  const ofCommits = cells(Object.keys(portsContract), (part) => part === 'atomicity' || part === 'discards');
  for (const part of ofCommits) portsContract[part as keyof typeof portsContract](openTables);
});
