import { describe, expect, it } from '@jest/globals';
import { MemoryDispatcher } from '../../../lib/adapters/memory/dispatcher.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

describe('the dispatcher in memory', () => {
  it('keeps what it was given to send, in order, over several calls', async () => {
    const dispatcher = new MemoryDispatcher();
    await dispatcher.dispatch([outgoingMessage({ id: 'a' }), outgoingMessage({ id: 'b' })]);
    await dispatcher.dispatch([]);
    await dispatcher.dispatch([outgoingMessage({ id: 'c' })]);
    expect(dispatcher.sent.map((message) => message.id)).toEqual(['a', 'b', 'c']);
  });

  it('keeps copies', async () => {
    const dispatcher = new MemoryDispatcher();
    const body = { list: [1] };
    await dispatcher.dispatch([outgoingMessage({ body })]);
    body.list.push(2);
    expect(dispatcher.sent[0]?.body).toEqual({ list: [1] });
  });
});
