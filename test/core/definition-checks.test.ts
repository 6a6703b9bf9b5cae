import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { assertFunctionPerType } from '../../lib/core/definition-checks.ts';
import type { MessageSchemas } from '../../lib/core/schema.ts';
import { refusalOf } from './unit-of-work-of.ts';

const messages = { Placed: z.unknown(), Paid: z.unknown() };
const handle = () => {};

function factsOf(given: MessageSchemas, functions: object | undefined): object {
  const check = () => assertFunctionPerType("defineSaga 'Order'", given, 'handlers', functions as never);
  return refusalOf(check).facts;
}

describe('a definition is refused', () => {
  it('without message types', () => {
    expect(factsOf({}, {})).toEqual({
      setting: "defineSaga 'Order': messages",
      problem: 'no message type is given',
      remedy: 'Add a schema for each message type that it handles',
    });
  });

  it.each([
    ['without a function for one', { Placed: handle }, 'it has no function for Paid'],
    ['without functions', undefined, 'it has no function for Placed, Paid'],
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
});
