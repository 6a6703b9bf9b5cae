import type { AnyTable } from '../construct-types.ts';
import { isCertainlySameResource, isSameResource } from '../destinations/same-resource.ts';

/** A table may be imported more than once: its ARN tells, also while it is a token. */
export function isSameTable(one: AnyTable | undefined, other: AnyTable | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return isSameResource(one, other, ({ tableArn }) => tableArn);
}

/** For what two endpoints must not share: stacks of two places may import one name. */
export function isCertainlySameTable(one: AnyTable | undefined, other: AnyTable | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return isCertainlySameResource(one, other, ({ tableArn }) => tableArn);
}
