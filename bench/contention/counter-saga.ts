import { defineSaga } from 'sagabox';
import * as z from 'zod';
import { defaultMapper } from '../../lib/adapters/dynamodb/saga/mapper.ts';
import type { Resources } from '../engines/resources.ts';
import { sagaItem } from '../engines/saga-items.ts';

const hotSaga = { name: 'Counter', id: 'hot' } as const;
export const messageType = 'Counted';

interface CounterState {
  /**
   * How often each message was applied, by its number: one byte each, so that the item stays small and of one
   * size.
   */
  applied: Uint8Array;
}

/** One saga that every message meets. */
export function counterSaga(messages: number) {
  return defineSaga({
    name: hotSaga.name,
    messages: { [messageType]: z.object({ index: z.number().int() }) },
    correlate: { [messageType]: () => hotSaga.id },
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
export async function appliedCounts(
  resources: Pick<Resources, 'dynamoDBClient' | 'tableName'>,
): Promise<number[]> {
  const item = await sagaItem(resources, hotSaga);
  if (item?.state?.M === undefined) return [];
  return [...(defaultMapper.fromAttributes(item.state.M) as CounterState).applied];
}
