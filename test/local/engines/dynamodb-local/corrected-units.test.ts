import { describe, expect, it } from '@jest/globals';
import { correctedAnswer } from '../../../../lib/local/engines/dynamodb-local/corrected-units.ts';

/** As DynamoDB Local reports them. */
const TableName = 'T';
const request = { ReturnConsumedCapacity: 'TOTAL', RequestItems: {} };

describe('what DynamoDB Local reports', () => {
  it('of a query that finds nothing becomes the smallest read, and of one that finds items stays', () => {
    const of = (CapacityUnits: number, ConsistentRead: boolean) =>
      correctedAnswer('Query', {
        request: { ...request, ConsistentRead },
        answer: { ConsumedCapacity: { TableName, CapacityUnits } },
        written: [],
      }).ConsumedCapacity;
    expect(of(0, true)).toEqual({ TableName, CapacityUnits: 1 });
    expect(of(0, false)).toEqual({ TableName, CapacityUnits: 0.5 });
    expect(of(2.5, true)).toEqual({ TableName, CapacityUnits: 2.5 });
  });

  it('of a batch of reads gets its misses, and not what was left unprocessed', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, id) => ({ PK: { S: String(id) } }));
    const RequestItems = {
      T: { Keys: keys(4), ConsistentRead: true },
      U: { Keys: keys(1), ConsistentRead: true },
    };
    const answer = {
      Responses: { T: [{}] },
      UnprocessedKeys: { T: { Keys: keys(1) } },
      ConsumedCapacity: [{ TableName: 'T', CapacityUnits: 1 }],
    };
    const call = { request: { ...request, RequestItems }, answer, written: [] };
    expect(correctedAnswer('BatchGetItem', call).ConsumedCapacity).toEqual([
      { TableName: 'T', CapacityUnits: 3 },
      { TableName: 'U', CapacityUnits: 1 },
    ]);
  });

  it('is left as it is where it reports no units', () => {
    const answer = { message: 'refused' };
    expect(correctedAnswer('TransactWriteItems', { request, answer, written: [] })).toEqual(answer);
  });
});
