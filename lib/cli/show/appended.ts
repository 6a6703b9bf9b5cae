import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBContributions } from '../../adapters/dynamodb/saga/contributions.ts';
import type { Table } from '../../adapters/dynamodb/table.ts';
import { assertContributionKey, readContribution } from '../../core/saga/contribution.ts';
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

/**
 * @param saga with the time of its start: one that was started anew under its id has others
 * @throws SagaboxError `InvalidContribution` for a key that no contribution has, `UnreadableItem`
 */
export async function readAppended(
  client: DynamoDBClient,
  table: Table,
  saga: SagaIdentity & { readonly createdAt: Date },
  key: string,
  { maxTotalReadUnits, signal }: { readonly maxTotalReadUnits: number; readonly signal: AbortSignal },
): Promise<ShownAppended> {
  assertContributionKey({ saga, key });
  const meter = new BudgetMeter(maxTotalReadUnits, signal);
  const contributions = new DynamoDBContributions({ client, table });
  const values: unknown[] = [];
  let bytes = 0;
  const { createdAt } = saga;
  for await (const found of contributions.find(saga, createdAt, key, VALUES_PER_PAGE, meter, meter.signal)) {
    values.push(jsonValue(readContribution(found)));
    bytes += found.bytes;
  }
  return { key, values, bytes, complete: !meter.signal.aborted, readUnits: meter.total.readUnits };
}
