import type { AttributeValue, DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { interceptCalls } from './intercepted-calls.ts';

/**
 * A client of a function whose clock is wrong: what it says of the time, and of its leases' ends, is shifted.
 */
export function withSkewedClock(client: DynamoDBClient, skewMs: number): DynamoDBClient {
  interceptCalls(client, 'call', ({ operation, input, proceed }) =>
    proceed(operation === 'UpdateItem' ? shifted(input, skewMs) : input),
  );
  return client;
}

function shifted(input: UpdateItemCommandInput, skewMs: number): UpdateItemCommandInput {
  const { ':now': now, ':lease': lease, ...others } = input.ExpressionAttributeValues ?? {};
  if (!now?.N || !lease?.M?.until?.N) return input;
  const until = later(lease.M.until.N, skewMs);
  return {
    ...input,
    ExpressionAttributeValues: {
      ...others,
      ':now': later(now.N, skewMs),
      ':lease': { M: { ...lease.M, until } },
    },
  };
}

function later(epochMs: string, byMs: number): AttributeValue {
  return { N: String(Number(epochMs) + byMs) };
}
