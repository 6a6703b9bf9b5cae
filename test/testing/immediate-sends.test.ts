import { describe, expect, it } from '@jest/globals';
import { defineHandlers, type OutboxSessionContext } from 'sagabox';
import { testApp, testHandlers, testSession } from 'sagabox/testing';
import { z } from 'zod';
import { sagaboxErrorOf } from '../support/error-of.ts';

type Mode = 'forgotten' | 'handled' | 'sent';

async function tell(
  mode: Mode,
  { send, sendImmediately }: Pick<OutboxSessionContext, 'send' | 'sendImmediately'>,
) {
  send('audit', 'Told', {});
  if (mode === 'sent') return void sendImmediately('audit', 'Progress', {});
  const sending = sendImmediately('nowhere', 'Progress', {});
  if (mode === 'handled') await sending.catch(() => {});
}

const teller = defineHandlers({
  messages: { Tell: z.object({ mode: z.custom<Mode>() }) },
  handlers: { Tell: ({ body }, context) => tell(body.mode, context) },
});
const failed = {
  code: 'ImmediateSendFailed',
  facts: {
    messageId: 'message-1',
    detail: expect.stringContaining("destination 'nowhere': it is not configured"),
  },
};

describe('a message that sendImmediately cannot send', () => {
  it('fails the delivery that did not wait for it, whose handler is committed all the same', async () => {
    const test = testHandlers(teller, { destinations: ['audit'] });
    expect(await sagaboxErrorOf(test.deliver('Tell', { mode: 'forgotten' }))).toMatchObject(failed);
    expect(test.outgoing.map(({ type }) => type)).toEqual(['Told']);
  });

  it('is that of the handler which waits for it', async () => {
    const test = testHandlers(teller, { destinations: ['audit'] });
    expect((await test.deliver('Tell', { mode: 'handled' })).outcome).toBe('handled');
  });

  it('ends an app, and is in its delivery where failures do not throw', async () => {
    for (const seed of [{}, { seed: 1 }]) {
      const appOf = (throwOnFailure: boolean) => {
        const endpoints = [{ endpoint: 'teller', handles: teller }] as const;
        const app = testApp(endpoints, { destinations: ['audit'], throwOnFailure, ...seed });
        app.send('teller', 'Tell', { mode: 'forgotten' });
        return app;
      };
      expect(await sagaboxErrorOf(appOf(true).deliverAll())).toMatchObject(failed);
      expect(await appOf(false).deliverAll()).toMatchObject([{ outcome: 'handled', error: failed }]);
    }
  });

  it('fails the run of a session', async () => {
    const session = testSession((mode: Mode, context: OutboxSessionContext) => tell(mode, context), {
      destinations: ['audit'],
    });
    expect((await sagaboxErrorOf(session.run('forgotten'))).code).toBe('ImmediateSendFailed');
    expect((await session.run('handled')).isCommitted).toBe(true);
    expect(session.outgoing.map(({ type }) => type)).toEqual(['Told', 'Told']);
  });
});

it('what a delivery sends immediately is among what it sent', async () => {
  const { outgoing } = await testHandlers(teller).deliver('Tell', { mode: 'sent' });
  expect(outgoing.map(({ type }) => type)).toEqual(['Progress', 'Told']);
});
