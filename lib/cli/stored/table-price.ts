import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { pricesOf } from '../../capacity/prices.ts';
import { callDynamoDB } from '../../dynamodb/calls/service-errors.ts';
import { READ_UNIT_BYTES } from '../../dynamodb/capacity-units.ts';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import { formatBytes, formatUnits, formatWhole } from '../plan/format.ts';

/** What a table holds, as DynamoDB counts about every six hours. Source: "DescribeTable". */
interface TableSize {
  readonly items: number;
  readonly bytes: number;
}

/**
 * What a scan of the table takes, and at most of a run: told before it starts.
 *
 * @param then what is read besides
 */
export async function scanPrice(
  client: DynamoDBClient,
  tableName: string,
  maxTotalReadUnits: number,
  then = '',
): Promise<string> {
  const size = await tableSize(client, tableName);
  const price = typeof size === 'string' ? `0.5 RCU for each 4 KB (${size})` : await wholePrice(client, size);
  return `Scans the table '${tableName}', whatever it holds: ${price}${then}. ${endOfRun(maxTotalReadUnits)}`;
}

/** A page has at most 1 MB: 128 read units. */
export function endOfRun(maxTotalReadUnits: number): string {
  return `This run ends with the read that reaches ${formatWhole(maxTotalReadUnits)} RCU.`;
}

/** @returns why it is not known, which is no reason not to read the table */
async function tableSize(client: DynamoDBClient, tableName: string): Promise<TableSize | string> {
  try {
    const { Table: table } = await callDynamoDB(
      'DescribeTable',
      [tableName],
      client.send(new DescribeTableCommand({ TableName: tableName })),
    );
    const { ItemCount: items = 0, TableSizeBytes: bytes = 0 } = table ?? {};
    return bytes === 0 ? 'DynamoDB has not counted its items yet' : { items, bytes };
  } catch (error) {
    if (!isSagaboxError(error) || error.code !== 'TableAccessRefused') throw error;
    return 'its size is not known: dynamodb:DescribeTable is not allowed';
  }
}

/** Of an eventually consistent scan of all of it. */
async function wholePrice(client: DynamoDBClient, { items, bytes }: TableSize): Promise<string> {
  const units = Math.ceil(bytes / READ_UNIT_BYTES) / 2;
  return (
    `about ${unitsWithPrice(units, await client.config.region())} for all of it ` +
    `(${formatWhole(items)} items, ${formatBytes(bytes)}, as DynamoDB counted within the last six hours)`
  );
}

function unitsWithPrice(units: number, region: string): string {
  const prices = pricesOf(region);
  if (prices === undefined) return `${formatUnits(units)} RCU`;
  const dollars = (units / 1_000_000) * prices.perMillionReadRequestUnits;
  const price = dollars < 0.01 ? 'under $0.01' : `$${dollars.toFixed(2)}`;
  return `${formatUnits(units)} RCU, ${price} on demand in ${region} as of ${prices.asOf},`;
}
