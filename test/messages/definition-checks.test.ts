import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { assertDefinition, functionPerType, someMessages } from '../../lib/messages/definition-checks.ts';
import type { MessageSchemas } from '../../lib/messages/schema.ts';
import { refusalOf } from '../sending/unit-of-work-of.ts';

const messages = { Placed: z.unknown(), Paid: z.unknown() };
const handle = () => {};
const generatorProblem = 'Paid is a generator function, of which a call runs nothing';

function factsOf(given: MessageSchemas, functions: object | null | undefined): object {
  const checks = { handlers: functionPerType(given) };
  return refusalOf(() => assertDefinition("defineSaga 'Order'", { handlers: functions }, checks)).facts;
}

describe('a definition is refused', () => {
  it.each([{}, undefined, null])('without message types: %p', (given) => {
    expect(
      refusalOf(() => assertDefinition('defineHandlers', { messages: given }, { messages: someMessages }))
        .facts,
    ).toEqual({
      setting: 'defineHandlers: messages',
      problem: 'no message type is given',
      remedy: 'Add a schema for each message type that it handles',
    });
  });

  it.each([undefined, null, {}, 'string', (body: unknown) => body, z, { '~standard': {} }])(
    'with a schema that is no Standard Schema: %p',
    (schema) => {
      const given = { ...messages, Odd: schema, Strange: schema };
      expect(
        refusalOf(() => assertDefinition('defineHandlers', { messages: given }, { messages: someMessages }))
          .facts,
      ).toEqual({
        setting: 'defineHandlers: messages',
        problem: 'what is given for Odd, Strange is no Standard Schema',
        remedy: 'Give a schema of zod, valibot, arktype or another library that implements Standard Schema',
      });
    },
  );

  it('not with a schema that is a function', () => {
    const schema = Object.assign(() => {}, { '~standard': z.string()['~standard'] });
    const check = () =>
      assertDefinition('defineHandlers', { messages: { Placed: schema } }, { messages: someMessages });
    expect(check).not.toThrow();
  });

  it.each([
    ['without a function for one', { Placed: handle }, 'it has no function for Paid'],
    ['with what is no function for one', { Placed: handle, Paid: 1 }, 'it has no function for Paid'],
    ['with a generator', { Placed: handle, *Paid() {} }, generatorProblem],
    ['with an asynchronous generator', { Placed: handle, async *Paid() {} }, generatorProblem],
    ['without functions', undefined, 'it has no function for Placed, Paid'],
    ['with null for functions', null, 'it has no function for Placed, Paid'],
    [
      'with functions for others',
      { Placed: handle, Paid: handle, Odd: handle, Stray: handle },
      "Odd, Stray is not in 'messages'",
    ],
    [
      'with a function for another in place of one',
      { Placed: handle, Odd: handle },
      "it has no function for Paid, and Odd is not in 'messages'",
    ],
  ])('%s of its message types', (_case, functions, problem) => {
    expect(factsOf(messages, functions)).toEqual({
      setting: "defineSaga 'Order': handlers",
      problem,
      remedy: "Give one function for each type in 'messages'",
    });
  });

  it('with all of its problems at once', () => {
    const checks = { messages: someMessages, handlers: functionPerType(messages) };
    const check = () => assertDefinition('defineHandlers', { message: messages, handlers: {} }, checks);
    expect(refusalOf(check).facts).toEqual({
      setting: 'defineHandlers',
      problem:
        "message: there is no such setting (did you mean 'messages'?). Rename it, or leave it out. " +
        'messages: no message type is given. Add a schema for each message type that it handles. ' +
        "handlers: it has no function for Placed, Paid. Give one function for each type in 'messages'",
      remedy: 'Correct each of them',
    });
  });

  it('without a function of its own for a type that every object inherits', () => {
    expect(factsOf({ toString: z.unknown() }, {})).toMatchObject({
      problem: 'it has no function for toString',
    });
  });
});
