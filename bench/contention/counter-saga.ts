import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { defineSaga } from 'sagabox';
import { z } from 'zod';
import { defaultMapper } from '../../lib/dynamodb/mapper.ts';

export const sagaId = 'hot';
export const messageType = 'Counted';

interface CounterState {
  /** How often each message was applied, by its number: one byte each, so that the item stays small and of one size. */
  applied: Uint8Array;
}

/** One saga that every message meets. */
export function counterSaga(messages: number) {
  return defineSaga({
    name: 'Counter',
    messages: { [messageType]: z.object({ index: z.number().int() }) },
    correlate: { [messageType]: () => sagaId },
    startedBy: [messageType],
    initialState: (): CounterState => ({ applied: new Uint8Array(messages) }),
    handlers: {
      [messageType](message, { saga }) {
        const { applied } = saga.state;
        applied[message.body.index] = (applied[message.body.index] ?? 0) + 1;
      },
    },
  });
}

/** How often each message was applied, by its number. */
export async function appliedCounts(client: DynamoDBClient, tableName: string): Promise<number[]> {
  const Key = { PK: { S: `SAGA#Counter#${sagaId}` }, SK: { S: 'SAGA' } };
  const { Item } = await client.send(new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }));
  if (Item?.state?.M === undefined) return [];
  return [...(defaultMapper.fromAttributes(Item.state.M) as CounterState).applied];
}
