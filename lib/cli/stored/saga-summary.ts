import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { FIRST_STATE_VERSION, type Item } from '../../dynamodb/item-attributes.ts';

export interface LeaseSummary {
  readonly owner: string;
  readonly until: string | undefined;
  readonly hasExpired: boolean;
}

/** What the attributes of a saga's item tell beside its state; they are not checked. */
export interface SagaSummary {
  readonly version: number;
  readonly stateVersion: number;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly lease?: LeaseSummary;
  readonly timeouts: readonly { readonly id: string; readonly type: string; readonly scheduled: boolean }[];
}

export function sagaSummary(item: Item, now: Date): SagaSummary {
  const lease = leaseSummary(item, now);
  return {
    version: Number(item.version?.N),
    stateVersion: Number(item.stateVersion?.N ?? FIRST_STATE_VERSION),
    createdAt: timeOf(item.createdAt),
    updatedAt: timeOf(item.updatedAt),
    ...(lease && { lease }),
    timeouts: (item.timeouts?.L ?? []).map(({ M: timeout = {} }) => ({
      id: timeout.id?.S ?? '',
      type: timeout.type?.S ?? '',
      scheduled: timeout.scheduled?.BOOL === true,
    })),
  };
}

/** Those of sagas with an embedded outbox are epoch seconds. */
function timeOf({ S, N }: AttributeValue = {} as AttributeValue): string | undefined {
  const date = new Date(Number(N) * 1000);
  return S ?? (Number.isNaN(date.getTime()) ? undefined : date.toISOString());
}

/** Of a saga, or of a lock on one that does not exist yet. */
export function leaseSummary({ lease }: Item, now: Date): LeaseSummary | undefined {
  if (lease?.M === undefined) return undefined;
  const { owner, until } = lease.M;
  const end = new Date(Number(until?.N));
  const isKnown = !Number.isNaN(end.getTime());
  return {
    owner: owner?.S ?? '',
    until: isKnown ? end.toISOString() : undefined,
    hasExpired: isKnown && end < now,
  };
}

export function leaseText({ owner, until, hasExpired }: LeaseSummary): string {
  return `by ${owner} until ${until ?? 'an unknown time'}${hasExpired ? ' (expired)' : ''}`;
}
