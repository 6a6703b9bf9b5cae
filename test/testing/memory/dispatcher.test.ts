import { expect, it } from '@jest/globals';
import { MemoryDispatcher } from '../../../lib/testing/memory/dispatcher.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

it('the memory dispatcher keeps copies', async () => {
  const dispatcher = new MemoryDispatcher();
  const body = { list: [1] };
  await dispatcher.dispatch([outgoingMessage({ body })]);
  body.list.push(2);
  expect(dispatcher.sent[0]?.body).toEqual({ list: [1] });
});
