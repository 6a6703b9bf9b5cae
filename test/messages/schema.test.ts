import { describe, expect, it } from '@jest/globals';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { sqsRecord } from 'sagabox/testing';
import * as v from 'valibot';
import { z } from 'zod';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import { validateMessage } from '../../lib/messages/schema.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';

const messageOf = (body: unknown, type = 'OrderPlaced') =>
  readEnvelope(sqsRecord({ type, body, id: 'in-1' }));

const lines = { lines: [{ count: 'two' }], total: -1 };
const libraries: [string, StandardSchemaV1][] = [
  [
    'zod',
    z.object({
      lines: z.array(z.object({ count: z.number() })),
      total: z.number().min(0),
      note: z.string().default('-'),
    }),
  ],
  [
    'valibot',
    v.object({
      lines: v.array(v.object({ count: v.number() })),
      total: v.pipe(v.number(), v.minValue(0)),
      note: v.optional(v.string(), '-'),
    }),
  ],
];

it('a default of a schema is that of each message alone', async () => {
  const OrderPlaced = z.object({ order: z.object({ lines: z.array(z.string()) }).default({ lines: [] }) });
  const bodyOf = async () =>
    (await validateMessage(messageOf({}), { OrderPlaced })).body as z.infer<typeof OrderPlaced>;
  (await bodyOf()).order.lines.push('of another customer');
  expect(await bodyOf()).toEqual({ order: { lines: [] } });
});

describe.each(libraries)('a schema of %s', (_library, OrderPlaced) => {
  it('gives the body that it makes', async () => {
    const message = messageOf({ lines: [], total: 1 });
    expect(await validateMessage(message, { OrderPlaced })).toEqual({
      ...message,
      body: { lines: [], total: 1, note: '-' },
    });
  });

  it('reports every issue with its path', async () => {
    const error = await sagaboxErrorOf(validateMessage(messageOf(lines), { OrderPlaced }));
    expect(error.code).toBe('InvalidMessage');
    expect(error.facts).toEqual({
      messageId: 'in-1',
      messageType: 'OrderPlaced',
      issues: [expect.stringMatching(/^lines\.0\.count: ./), expect.stringMatching(/^total: ./)],
    });
    expect(error.message).toContain('lines.0.count');
  });

  it.each([[null], [7], ['text'], [[]]])('refuses the body %j', async (body) => {
    const error = await sagaboxErrorOf(validateMessage(messageOf(body), { OrderPlaced }));
    expect(error.code).toBe('InvalidMessage');
  });
});

describe('validateMessage', () => {
  it('waits for a schema that needs time', async () => {
    const schema = z.object({ id: z.string().refine(async (id) => id === 'known', 'it is not known') });
    const messages = { OrderPlaced: schema };
    expect((await validateMessage(messageOf({ id: 'known' }), messages)).body).toEqual({ id: 'known' });
    const error = await sagaboxErrorOf(validateMessage(messageOf({ id: 'new' }), messages));
    expect(error.facts).toMatchObject({ issues: ['id: it is not known'] });
  });

  it.each(['Unknown', '', '__proto__', 'constructor', 'toString'])(
    'refuses the type %j, and tells those that are known',
    async (type) => {
      const messages = { OrderPlaced: z.unknown(), CardCharged: z.unknown() };
      const error = await sagaboxErrorOf(validateMessage(messageOf({}, type), messages));
      expect(error.code).toBe('UnknownMessageType');
      expect(error.facts).toEqual({
        messageId: 'in-1',
        messageType: type,
        knownTypes: ['OrderPlaced', 'CardCharged'],
      });
    },
  );
});

it.each<[string, StandardSchemaV1, unknown, string]>([
  [
    'valibot',
    v.object({ token: v.number() }),
    { token: 'hunter2' },
    'token: Invalid type: Expected number but received ***',
  ],
  [
    'valibot',
    v.object({ password: v.string() }),
    { password: 71342 },
    'password: Invalid type: Expected string but received ***',
  ],
  [
    'valibot',
    v.object({ auth: v.object({ secret: v.array(v.number()) }) }),
    { auth: { secret: ['hun"ter2'] } },
    'auth.secret.0: Invalid type: Expected number but received ***',
  ],
  [
    'valibot',
    v.object({ user: v.number() }),
    { user: 'ada' },
    'user: Invalid type: Expected number but received "ada"',
  ],
  ['zod', z.object({ token: z.string() }), {}, 'token: Invalid input: expected string, received undefined'],
])('%s tells no value of a field that is a secret by its name', async (_library, schema, body, issue) => {
  const error = await sagaboxErrorOf(validateMessage(messageOf(body), { OrderPlaced: schema }));
  expect(error.facts).toMatchObject({ issues: [issue] });
});

describe('a body with more issues than anybody reads', () => {
  it.each([
    [250_000, 101, 'and 249900 more'],
    [100, 100, expect.stringContaining('99: ')],
  ])('is told with the first hundred: of %i, %i lines', async (count, lines, last) => {
    const issues = Array.from({ length: count }, (_, index) => ({ message: 'no number', path: [index] }));
    const OrderPlaced = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) },
    } as const;
    const error = await sagaboxErrorOf(validateMessage(messageOf([]), { OrderPlaced }));
    const { issues: told } = error.facts as unknown as { issues: string[] };
    expect(told).toHaveLength(lines);
    expect(told.at(-1)).toEqual(last);
  });

  it('is told in strings of a bounded length', async () => {
    const body = { ['k'.repeat(500_000)]: 1 };
    const error = await sagaboxErrorOf(validateMessage(messageOf(body), { OrderPlaced: z.strictObject({}) }));
    expect(error.message.length).toBeLessThan(2000);
  });
});
