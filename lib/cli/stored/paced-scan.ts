import { type DynamoDBClient, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { systemClock } from '../../compose/system-clock.ts';
import { callDynamoDB } from '../../dynamodb/calls/service-errors.ts';
import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { Item } from '../../dynamodb/item-attributes.ts';
import { ReadPace } from '../../relay/read-pace.dynamodb.ts';

/** How much a scan may read, and how fast. */
export interface ScanTerms {
  readonly maxReadUnitsPerSecond: number;
  /** After the page that reaches it, the scan ends. A page has at most 1 MB: 128 read units. */
  readonly maxTotalReadUnits: number;
  readonly meter: CapacityMeter;
  readonly signal: AbortSignal;
}

export interface ScanPage {
  readonly items: readonly Item[];
  /** Undefined at the end of the table. */
  readonly lastKey: Item | undefined;
}

/** The pages of a scan, eventually consistent, until its budget is spent or the signal is aborted. */
export async function* pacedScan(
  client: DynamoDBClient,
  scan: ScanCommandInput,
  { maxReadUnitsPerSecond, maxTotalReadUnits, meter, signal }: ScanTerms,
): AsyncGenerator<ScanPage> {
  const pace = new ReadPace(Math.min(maxReadUnitsPerSecond, maxTotalReadUnits), systemClock);
  let { ExclusiveStartKey } = scan;
  do {
    await pace.wait(signal);
    if (signal.aborted) return;
    const page = { ...scan, ExclusiveStartKey, Limit: pace.items, ReturnConsumedCapacity: 'TOTAL' } as const;
    const { Items, LastEvaluatedKey, ConsumedCapacity, ScannedCount } = await callDynamoDB(
      'Scan',
      [scan.TableName ?? ''],
      client.send(new ScanCommand(page)),
    );
    const units = ConsumedCapacity?.CapacityUnits ?? 0;
    meter.addRead(units);
    pace.spend(units, ScannedCount ?? 0);
    ExclusiveStartKey = LastEvaluatedKey;
    yield { items: Items ?? [], lastKey: LastEvaluatedKey };
  } while (ExclusiveStartKey && meter.total.readUnits < maxTotalReadUnits);
}
