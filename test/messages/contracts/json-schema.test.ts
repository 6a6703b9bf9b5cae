import { expect, it } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { contractJsonSchemas, defineContract } from 'sagabox';
import * as v from 'valibot';
import { z } from 'zod';
import { refusalOf } from '../../support/error-of.ts';

const weight = v.object({ weight: v.pipe(v.string(), v.transform(Number)) });

it('has what senders give, by the library of each schema', () => {
  const contract = defineContract(
    'shipping',
    { Weigh: toStandardJsonSchema(weight), Ship: z.object({ days: z.number().default(1) }) },
    { replies: { Shipped: z.object({}) } },
  );
  const { messages, replies } = contractJsonSchemas(contract);
  expect(messages.Weigh).toMatchObject({ properties: { weight: { type: 'string' } }, required: ['weight'] });
  expect(messages.Ship).toMatchObject({ properties: { days: { type: 'number', default: 1 } } });
  expect(messages.Ship?.required).toBeUndefined();
  expect(replies.Shipped).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  expect(contractJsonSchemas(contract, 'draft-07').replies.Shipped?.$schema).toContain('draft-07');
});

it.each([
  ['a library without', weight, 'a schema of valibot has no JSON Schema by itself'],
  ['a type without', z.object({ at: z.date() }), 'Date cannot be represented in JSON Schema'],
])('names the message type of %s JSON Schema', (_of, schema, problem) => {
  const { code, facts } = refusalOf(() => contractJsonSchemas(defineContract('billing', { Charge: schema })));
  expect(code).toBe('Configuration');
  expect(facts).toMatchObject({ setting: "the contract 'billing': messages.Charge", problem });
});
