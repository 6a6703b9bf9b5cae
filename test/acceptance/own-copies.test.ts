import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  defineSaga,
  type IncomingMessage,
  type Locking,
  type SagaboxError,
  type SagaHandlerContext,
} from 'sagabox';
import { z } from 'zod';
import { outgoingMessageId } from '../../lib/messages/message-id.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { drain, record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { returnedIds } from '../support/returned-ids.ts';
import { modes } from './modes.ts';

type Handle = (message: IncomingMessage, context: SagaHandlerContext<{ lines: string[] }>) => void;

let table: string;
let billing: string;
/** Called while the state is validated: before its handler, and between that and the commit. */
let whileValidating: () => void;

beforeEach(async () => {
  [table, billing] = await Promise.all([createTable(), createQueue()]);
  whileValidating = () => {};
});

/** In a function of its own. @returns the ids of the records that are returned */
async function deliver(locking: Locking, handle: Handle, ...ids: readonly string[]): Promise<string[]> {
  const saga = defineSaga({
    name: 'Order',
    messages: { Placed: z.object({ orderId: z.string() }) },
    correlate: { Placed: ({ orderId }) => orderId },
    startedBy: ['Placed'],
    stateSchema: z.object({ lines: z.array(z.string()) }).refine(async () => {
      whileValidating();
      return true;
    }),
    initialState: (): { lines: string[] } => ({ lines: [] }),
    handlers: { Placed: handle as never },
  });
  const records = ids.map((id) => record('Placed', { orderId: '7' }, id, { messageId: `sqs-${id}` }));
  return await returnedIds(saga, table, records, {
    endpoint: 'orders',
    destinations: { billing },
    dynamoDBClient: dynamoDBClient(),
    sqsClient: sqsClient(),
    recoverability: { immediateRetries: { maxRetries: 0 } },
    locking,
  });
}

const items = () => allItems(dynamoDBClient(), table);
const lines = async () => (await items()).find(({ SK }) => SK?.S === 'SAGA')?.state?.M?.lines?.L;

/** All that a handler can do to the message that it gets. */
function rename(message: IncomingMessage): void {
  Object.assign(message, { id: 'b', type: 'Other' });
  Object.assign(message.headers, { 'Sagabox.MessageId': 'b' });
  Object.assign(message.record, { messageId: 'sqs-b' });
}

describe.each(modes)('I8: a handler that renames its message in $name mode', ({ locking }) => {
  it('has the message known by the id that arrived, and what it sends too', async () => {
    const renaming: Handle = (message, { saga, send }) => {
      rename(message);
      saga.state.lines.push('placed');
      send('billing', 'Charge', {});
    };
    for (const id of ['a', 'a', 'b']) expect(await deliver(locking, renaming, id)).toEqual([]);
    const records = (await items()).filter(({ SK }) => SK?.S === 'RECORD');
    expect(records.map(({ PK }) => PK?.S).toSorted()).toEqual(['OUTBOX#orders#a', 'OUTBOX#orders#b']);
    expect(await lines()).toHaveLength(2);
    expect((await drain(sqsClient(), billing)).map(({ id }) => id).toSorted()).toEqual(
      ['a', 'b'].map((id) => outgoingMessageId(id, 'orders', 0)).toSorted(),
    );
  });

  it('has the message returned by the id of its record when it fails', async () => {
    const failing: Handle = (message) => {
      const { id } = message;
      rename(message);
      if (id === 'a') throw new Error('a bug');
    };
    expect(await deliver(locking, failing, 'a', 'b')).toEqual(['sqs-a']);
  });
});

describe.each(modes)('I6, I8: a handler that keeps what it got in $name mode', ({ locking }) => {
  it('changes no commit after it has returned, and sends nothing', async () => {
    let kept: Parameters<Handle>[1] | undefined;
    const refused = new Set<unknown>();
    const keeping: Handle = (_message, context) => {
      context.saga.state.lines.push('in time');
      kept = context;
      const { lines } = context.saga.state;
      whileValidating = () => {
        lines.push('too late');
        try {
          context.send('billing', 'Charge', {});
        } catch (error) {
          refused.add((error as SagaboxError).code);
        }
      };
    };
    expect(await deliver(locking, keeping, 'a')).toEqual([]);
    expect(await lines()).toEqual([{ S: 'in time' }]);
    expect([...refused]).toEqual(['InvalidOutgoingMessage']);
    expect(() => kept?.saga.state).toThrow(expect.objectContaining({ code: 'HandlerReturned' }));
    expect(await drain(sqsClient(), billing)).toEqual([]);
  });
});
