import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Lease } from '../../../core/saga/lease.ts';

export function leaseAttribute({ owner, until, postponed }: Lease): AttributeValue {
  return {
    M: {
      owner: { S: owner },
      until: { N: String(until.getTime()) },
      ...(postponed && { postponed: { BOOL: true } }),
    },
  };
}
