import type { AnyTable } from './any-table.ts';

/** One may be imported more than once: its ARN tells, also while it is a token. */
export function isSameTable(one: AnyTable | undefined, other: AnyTable | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one === other || one.tableArn === other.tableArn;
}
