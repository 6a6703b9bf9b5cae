import type { ScaleLimit } from '../../../capacity/index.ts';
import { limitsOfAccount } from '../../../capacity/scale/limits-of-account.ts';
import { limitedTable } from './capacity.ts';
import type { PlannedTable } from './tables.ts';

/** An account in a region, and what all tables and workloads there take together of the limits that it has. */
export type PlannedEnvironment = PlannedTable['environment'] & { readonly limits: readonly ScaleLimit[] };

/** Tables whose account is not known are taken to be in one account. */
export function environmentsOf(tables: readonly PlannedTable[]): PlannedEnvironment[] {
  const groups = Map.groupBy(tables, ({ environment: { account, region } }) => `${account} ${region}`);
  return [...groups.values()].flatMap((together) => {
    const limits = limitsOfAccount(together.map(limitedTable), together[0]?.environment.region);
    return together.slice(0, 1).map(({ environment }) => ({ ...environment, limits }));
  });
}
