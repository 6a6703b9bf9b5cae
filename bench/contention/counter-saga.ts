import { defineSaga, type EmbeddedOutbox } from 'sagabox';
import * as z from 'zod';
import { decompressState } from '../../lib/saga/item/compressed-state.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
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

/** One saga that every message meets. With an embedded outbox, its state is compressed. */
export function counterSaga(messages: number, outbox?: EmbeddedOutbox) {
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
    state: { compress: outbox !== undefined },
    outbox,
  });
}

/** How often each message was applied, by its number. */
export async function appliedCounts(
  resources: Pick<Resources, 'dynamoDBClient' | 'tableName'>,
): Promise<number[]> {
  const item = await sagaItem(resources, hotSaga);
  const state = item?.state?.M ?? (item?.state?.B && decompressState(item.state.B));
  return state ? [...(defaultMapper.fromAttributes(state) as CounterState).applied] : [];
}
