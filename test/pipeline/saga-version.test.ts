import { expect, it } from '@jest/globals';
import { defineSaga } from 'sagabox';
import { testSaga } from 'sagabox/testing';
import { z } from 'zod';
import { isCancellation } from '../../lib/messages/message.ts';

const body = z.object({ orderId: z.string(), does: z.enum(['change', 'look', 'complete']) });
const orderSaga = defineSaga({
  name: 'Order',
  messages: { Told: body },
  correlate: { Told: ({ orderId }) => orderId },
  startedBy: ['Told'],
  initialState: () => ({ changes: 0 }),
  handlers: {
    Told({ body: { does } }, { saga, send }) {
      // Before and after: what is sent first cannot know what the handler does next.
      send('billing', 'First', {});
      if (does === 'change') saga.state.changes += 1;
      if (does === 'complete') saga.complete();
      send('billing', 'Second', {});
    },
  },
});

it('what a handler sends has the version that its commit gives the saga and its place, or no version', async () => {
  const orders = testSaga(orderSaga);
  const versionsAfter = async (does: 'change' | 'look' | 'complete') => {
    const before = orders.outgoing.length;
    await orders.deliver('Told', { orderId: '7', does });
    return orders.outgoing
      .slice(before)
      .map((sent) => (isCancellation(sent) ? undefined : sent.headers['Sagabox.SagaVersion']));
  };
  const noVersion = [undefined, undefined];
  expect(await versionsAfter('change')).toEqual(['1.0', '1.1']);
  expect(await versionsAfter('change')).toEqual(['2.0', '2.1']);
  expect(await versionsAfter('look')).toEqual(noVersion);
  expect(await versionsAfter('complete')).toEqual(['3.0', '3.1']);
  // Another one, of the same name.
  expect(await versionsAfter('look')).toEqual(['1.0', '1.1']);
  expect(await versionsAfter('complete')).toEqual(['2.0', '2.1']);
  expect(await versionsAfter('complete')).toEqual(noVersion);
});
