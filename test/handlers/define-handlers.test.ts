import { describe, expect, it } from '@jest/globals';
import { sqsRecord } from 'sagabox/testing';
import { z } from 'zod';
import { defineHandlers } from '../../lib/handlers/define-handlers.ts';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';

const messageOf = (type: string, body: unknown) => readEnvelope(sqsRecord({ type, body })) as never;

describe('defineHandlers', () => {
  const handled: unknown[] = [];
  const billing = defineHandlers({
    messages: { ChargeCard: z.object({ amount: z.number().default(1) }) },
    handlers: {
      async ChargeCard({ body }) {
        await Promise.resolve();
        handled.push(body);
      },
    },
  });

  it('calls the handler of the type, with what the schema made of the body', async () => {
    await billing.handler(messageOf('ChargeCard', {}), {} as never);
    expect(handled).toEqual([{ amount: 1 }]);
  });

  it('does not call a handler for a message that its schema refuses', async () => {
    handled.length = 0;
    const call = billing.handler(messageOf('ChargeCard', { amount: 'one' }), {} as never);
    expect((await sagaboxErrorOf(call)).code).toBe('InvalidMessage');
    expect(handled).toEqual([]);
  });

  it('refuses another type', async () => {
    const call = billing.handler(messageOf('constructor', {}), {} as never);
    expect((await sagaboxErrorOf(call)).code).toBe('UnknownMessageType');
  });

  it.each([
    ['no messages', { messages: {}, handlers: {} }, 'messages'],
    ['no handlers', { messages: { A: z.unknown() } }, 'handlers'],
  ])('refuses a definition with %s', (_case, definition, part) => {
    const facts = expect.objectContaining({ setting: `defineHandlers: ${part}` });
    expect(() => (defineHandlers as (definition: object) => unknown)(definition)).toThrow(
      expect.objectContaining({ code: 'Configuration', facts }),
    );
  });
});
