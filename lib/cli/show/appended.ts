import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { assertContributionKey, readContribution } from '../../saga/contribution.ts';
import { type ContributionsOfKey, queryContributions } from '../../saga/contributions.dynamodb.ts';
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

/**
 * @param of of a saga that was started anew under its id, those since then
 * @throws SagaboxError `InvalidContribution` for a key that no contribution has, `UnreadableItem`
 */
export async function readAppended(
  client: DynamoDBClient,
  table: Table,
  of: ContributionsOfKey,
  { maxTotalReadUnits, signal }: { readonly maxTotalReadUnits: number; readonly signal: AbortSignal },
): Promise<ShownAppended> {
  const { key } = of;
  assertContributionKey(of);
  const meter = new BudgetMeter(maxTotalReadUnits, signal);
  const all = queryContributions({ client, table }, of, VALUES_PER_PAGE, meter, meter.signal);
  const values: unknown[] = [];
  let bytes = 0;
  for await (const found of all) {
    values.push(jsonValue(readContribution(found)));
    bytes += found.bytes;
  }
  return { key, values, bytes, complete: !meter.signal.aborted, readUnits: meter.total.readUnits };
}
