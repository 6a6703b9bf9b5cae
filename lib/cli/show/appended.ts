import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBContributions } from '../../adapters/dynamodb/saga/contributions.ts';
import type { Table } from '../../adapters/dynamodb/table.ts';
import { readContribution } from '../../core/saga/contribution.ts';
import type { SagaIdentity } from '../../core/storage/keys.ts';
import { jsonValue } from '../stored/json-value.ts';
import { BudgetMeter } from './budget-meter.ts';

/** The values that messages have added to a saga under one key, and that no message has collected yet. */
export interface ShownAppended {
  readonly key: string;
  /** As JSON. */
  readonly values: readonly unknown[];
  readonly bytes: number;
  /** Whether the budget of read units was enough for all. */
  readonly complete: boolean;
  readonly readUnits: number;
}

const VALUES_PER_PAGE = 100;

/** @param createdAt of the saga: one that was started anew under its id has others */
export async function readAppended(
  client: DynamoDBClient,
  table: Table,
  saga: SagaIdentity & { readonly createdAt: Date },
  key: string,
  { maxTotalReadUnits, signal }: { readonly maxTotalReadUnits: number; readonly signal: AbortSignal },
): Promise<ShownAppended> {
  const meter = new BudgetMeter(maxTotalReadUnits, signal);
  const contributions = new DynamoDBContributions({ client, table });
  const values: unknown[] = [];
  let bytes = 0;
  let complete = true;
  for await (const found of contributions.find(saga, saga.createdAt, key, VALUES_PER_PAGE, meter)) {
    values.push(jsonValue(readContribution(found)));
    bytes += found.bytes;
    // The page that spent the budget is shown up to here.
    complete = !meter.signal.aborted;
    if (!complete) break;
  }
  return { key, values, bytes, complete, readUnits: meter.total.readUnits };
}
