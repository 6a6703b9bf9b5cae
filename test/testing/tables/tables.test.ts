import {
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { defineHandlers, type OutboxSessionContext } from 'sagabox';
import { testApp, testHandlers, testSession } from 'sagabox/testing';
import { z } from 'zod';
import { createTable, dynamoDBClient } from '../../support/engines.ts';
import { refusalOf, sagaboxErrorOf } from '../../support/error-of.ts';

const writer = defineHandlers({
  messages: { Write: z.object({ items: z.array(z.custom<TransactWriteItem>()) }) },
  handlers: {
    Write({ body }, { transaction, send }) {
      for (const item of body.items) transaction.add(item);
      send('audit', 'Written', {});
    },
  },
});

const account = {
  id: { S: '1' },
  balance: { N: '10' },
  name: { S: 'Ada' },
  open: { BOOL: true },
  log: { L: [{ S: 'a' }] },
};
const tables = { accounts: { key: ['id'], items: [account] } } as const;
const Key = { id: { S: '1' } };

/** @returns 'holds', or the code of the error */
async function outcomeOf(
  condition: string,
  values: object = {},
  names: object = {},
  id = '1',
): Promise<string> {
  const test = testHandlers(writer, { tables });
  const check = {
    ConditionCheck: {
      TableName: 'accounts',
      Key: { id: { S: id } },
      ConditionExpression: condition,
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values as never }),
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names as never }),
    },
  };
  const written = test.deliver('Write', { items: [check] });
  const code = await written.then(
    () => 'holds',
    (error) => error.code,
  );
  expect(test.outgoing).toHaveLength(code === 'holds' ? 1 : 0);
  expect(test.unevaluatedConditions).toEqual([]);
  return code;
}

const fails = 'TransactionConditionFailed';

const conditions = [
  ['attribute_exists(balance)', {}, 'holds'],
  ['attribute_exists(missing)', {}, fails],
  ['attribute_not_exists(missing)', {}, 'holds'],
  ['attribute_not_exists(balance)', {}, fails],
  ['attribute_exists(log[0]) and attribute_not_exists(log[1])', {}, 'holds'],
  ['balance >= :v', { ':v': { N: '10' } }, 'holds'],
  ['balance > :v', { ':v': { N: '10' } }, fails],
  ['balance < :v', { ':v': { N: '10.5' } }, 'holds'],
  ['balance <= :v', { ':v': { N: '9' } }, fails],
  ['balance = :v', { ':v': { N: '1e1' } }, 'holds'],
  ['balance < :v', { ':v': { N: '10.00000000000000000000000000000000001' } }, 'holds'],
  ['balance > :v', { ':v': { N: '-1e125' } }, 'holds'],
  ['balance = :v', { ':v': { S: '10' } }, fails],
  ['balance <> :v', { ':v': { S: '10' } }, 'holds'],
  ['missing <> :v', { ':v': { S: '10' } }, 'holds'],
  ['missing < :v', { ':v': { S: '10' } }, fails],
  ['name < :v', { ':v': { S: 'Bob' } }, 'holds'],
  ['open = :v', { ':v': { BOOL: false } }, fails],
  [
    'name = :n AND (balance > :v OR NOT open = :o)',
    { ':n': { S: 'Ada' }, ':v': { N: '99' }, ':o': { BOOL: false } },
    'holds',
  ],
  [
    'name = :n AND balance > :v OR open = :o',
    { ':n': { S: 'Ada' }, ':v': { N: '99' }, ':o': { BOOL: false } },
    fails,
  ],
] as const;

describe('a condition of transaction.add', () => {
  it.each(conditions)('%s with %j -> %s', async (condition, values, expected) => {
    expect(await outcomeOf(condition, values)).toBe(expected);
  });

  it('has the outcome that it has on a DynamoDB engine', async () => {
    const TableName = await createTable();
    const client = dynamoDBClient();
    const own = { PK: { S: 'account' }, SK: { S: '1' } };
    await client.send(new PutItemCommand({ TableName, Item: { ...account, ...own } }));
    for (const [condition, values, expected] of conditions) {
      const check = {
        TableName,
        Key: own,
        ...withPlaceholders({
          ConditionExpression: condition,
          ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values as never }),
        }),
      };
      const written = client.send(
        new TransactWriteItemsCommand({ TransactItems: [{ ConditionCheck: check }] }),
      );
      const outcome = await written.then(
        () => 'holds',
        (error) =>
          error.CancellationReasons?.[0]?.Code === 'ConditionalCheckFailed' ? fails : String(error),
      );
      expect([condition, outcome]).toEqual([condition, expected]);
    }
  });

  it('takes names of placeholders, and finds no item under another key', async () => {
    expect(await outcomeOf('attribute_exists(#b)', {}, { '#b': 'balance' })).toBe('holds');
    expect(await outcomeOf('attribute_exists(id)', {}, {}, '2')).toBe(fails);
    expect(await outcomeOf('attribute_not_exists(id)', {}, {}, '2')).toBe('holds');
  });

  it.each([
    ['begins_with(name, :v)', { ':v': { S: 'A' } }],
    ['balance BETWEEN :a AND :b', { ':a': { N: '1' }, ':b': { N: '2' } }],
    ['balance = :missing', {}],
    ['attribute_exists(#missing)', {}],
    ['open < :v', { ':v': { BOOL: true } }],
    ['log = :v', { ':v': { L: [] } }],
    ['balance = :v', { ':v': { N: '10' }, ':unused': { N: '1' } }],
    ['attribute_exists(name) attribute_exists(id)', {}],
    ['(attribute_exists(name)', {}],
    ['name = !', {}],
  ])('%s is refused, not taken to hold', async (condition, values) => {
    expect(await outcomeOf(condition, values)).toBe('Configuration');
  });

  it.each(['ten', '1e126', '1'.repeat(39)])('is refused with %s for a number', async (N) => {
    expect(await outcomeOf('balance = :v', { ':v': { N } })).toBe('InvalidTransactionItem');
  });

  it('is listed if its table is not given', async () => {
    const test = testHandlers(writer);
    const Put = { TableName: 'others', Item: Key, ConditionExpression: 'attribute_not_exists(id)' };
    await test.deliver('Write', {
      items: [{ Put }, { Delete: { TableName: 'others', Key: { id: { S: '2' } } } }],
    });
    expect(test.unevaluatedConditions).toEqual([
      { tableName: 'others', expression: 'attribute_not_exists(id)' },
    ]);
    expect(refusalOf(() => test.items('others')).message).toMatch(/known: none/);
  });
});

/** Reserved words need placeholders on an engine. */
function withPlaceholders<E extends { ConditionExpression: string } | { UpdateExpression: string }>(
  write: E,
): E {
  const [option = '', expression = ''] = Object.entries(write)[0] as [string, string];
  const reserved = ['name', 'open', 'log', 'missing'].filter((word) =>
    new RegExp(`\\b${word}\\b`).test(expression),
  );
  const replaced = reserved.reduce(
    (text, word) => text.replaceAll(new RegExp(`(?<!:)\\b${word}\\b`, 'g'), `#${word}`),
    expression,
  );
  const ExpressionAttributeNames = Object.fromEntries(reserved.map((word) => [`#${word}`, word]));
  return { ...write, [option]: replaced, ...(reserved.length > 0 && { ExpressionAttributeNames }) };
}

const refused = 'refused';
const { id: _id, ...stored } = account;
const { log: _log, name: _name, ...short } = stored;
const updates = [
  [
    'SET balance = balance - :v, seen = :s REMOVE log, name',
    { ':v': { N: '3' }, ':s': { BOOL: true } },
    { ...short, balance: { N: '7' }, seen: { BOOL: true } },
  ],
  ['SET balance = :a + :b', { ':a': { N: '0.1' }, ':b': { N: '0.2' } }, { ...stored, balance: { N: '0.3' } }],
  ['SET balance = balance + :v', { ':v': { N: '-10.0' } }, { ...stored, balance: { N: '0' } }],
  [
    'SET balance = balance - :v',
    { ':v': { N: '1e20' } },
    { ...stored, balance: { N: '-99999999999999999990' } },
  ],
  [
    'SET balance = balance + :v',
    { ':v': { N: '12345678901234567890.000000000001' } },
    { ...stored, balance: { N: '12345678901234567900.000000000001' } },
  ],
  [
    'SET balance = balance + :v',
    { ':v': { N: '1e-36' } },
    { ...stored, balance: { N: `10.${'0'.repeat(35)}1` } },
  ],
  ['SET balance = balance + :v', { ':v': { N: '1e-37' } }, refused],
  ['SET a = missing', {}, refused],
  ['SET name = name + :v', { ':v': { N: '1' } }, refused],
  ['SET id = :v', { ':v': { S: '2' } }, refused],
  ['SET balance = :v REMOVE balance', { ':v': { N: '1' } }, refused],
  ['SET balance = :v SET open = :v', { ':v': { N: '1' } }, refused],
  ['SET balance = :v', { ':v': { N: '1' }, ':unused': { N: '1' } }, refused],
] as const;

function withValues(UpdateExpression: string, values: object) {
  return {
    UpdateExpression,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values as never }),
  };
}

describe('tables of the test', () => {
  const put = (id: string): TransactWriteItem => ({
    Put: { TableName: 'accounts', Item: { id: { S: id } }, ConditionExpression: 'attribute_not_exists(id)' },
  });

  it('keep what earlier messages committed, and nothing of a refused one', async () => {
    const test = testHandlers(writer, { tables });
    await test.deliver('Write', { items: [put('2')] });
    const error = await sagaboxErrorOf(test.deliver('Write', { items: [put('3'), put('2')] }));
    expect([error.code, error.facts]).toEqual([fails, { index: 1, tableName: 'accounts' }]);
    expect(test.items('accounts').map(({ id }) => id?.S)).toEqual(['1', '2']);
    await test.deliver('Write', { items: [{ Delete: { TableName: 'accounts', Key } }] });
    expect(test.items('accounts').map(({ id }) => id?.S)).toEqual(['2']);
  });

  it.each(updates)('%s with %j -> %j', async (expression, values, expected) => {
    const test = testHandlers(writer, { tables });
    const update = { TableName: 'accounts', Key, ...withValues(expression, values) };
    const code = await test.deliver('Write', { items: [{ Update: update }] }).then(
      () => undefined,
      (error) => error.code,
    );
    if (expected === refused) expect(code).toBe('Configuration');
    else expect([code, test.items('accounts')]).toEqual([undefined, [{ id: Key.id, ...expected }]]);
  });

  it('are updated as a DynamoDB engine updates them', async () => {
    const TableName = await createTable();
    const client = dynamoDBClient();
    for (const [index, [expression, values, expected]] of updates.entries()) {
      const key = { PK: { S: 'account' }, SK: { S: String(index) } };
      await client.send(new PutItemCommand({ TableName, Item: { ...account, ...key } }));
      const written = client.send(
        new UpdateItemCommand({
          TableName,
          Key: key,
          ReturnValues: 'ALL_NEW',
          ...withPlaceholders(withValues(expression.replace(/\bid\b/, 'PK'), values)),
        }),
      );
      const outcome = await written.then(
        ({ Attributes: { PK: _pk, SK: _sk, id: _id, ...item } = {} }) => item,
        (error) => (error.name === 'ValidationException' ? refused : error),
      );
      expect([expression, outcome]).toEqual([expression, expected]);
    }
  });

  it.each(['ADD balance :v', 'SET log[0] = :v'])('do not evaluate %s', async (UpdateExpression) => {
    const test = testHandlers(writer, { tables });
    const Update = { TableName: 'accounts', Key, ...withValues(UpdateExpression, { ':v': { N: '1' } }) };
    expect((await sagaboxErrorOf(test.deliver('Write', { items: [{ Update }] }))).code).toBe('Configuration');
  });

  it('find an item by its number, however that is written', async () => {
    const test = testHandlers(writer, { tables: { rows: { key: ['n'], items: [{ n: { N: '1' } }] } } });
    const Put = {
      TableName: 'rows',
      Item: { n: { N: '1.0' } },
      ConditionExpression: 'attribute_not_exists(n)',
    };
    expect((await sagaboxErrorOf(test.deliver('Write', { items: [{ Put }] }))).code).toBe(fails);
  });

  it.each([
    ['a name that no expression has', { Key, ExpressionAttributeNames: { '#x': 'x' } }],
    ['no values', { Key, ExpressionAttributeValues: {} }],
    ['more than the key', { Key: { ...Key, name: { S: 'Ada' } } }],
  ])('refuse a write with %s', async (_of, write) => {
    const test = testHandlers(writer, { tables });
    const items = [{ Delete: { TableName: 'accounts', ...write } }];
    expect((await sagaboxErrorOf(test.deliver('Write', { items }))).code).toBe('Configuration');
  });

  it.each([
    ['an empty key', { S: '' }, 'cannot be written: Key.id.S is empty, which no key can be'],
    ['a key that is no number', { N: 'one' }, 'Key.id.N is a string, not a number in a string'],
    ['a key without a type', 'x', 'Key.id is a string, without a type: use { S: … }'],
  ])('refuse a write with %s, also of a table that is not given', async (_of, id, problem) => {
    for (const given of [{ tables }, {}]) {
      const items = [{ Delete: { TableName: 'accounts', Key: { id: id as never } } }];
      const error = await sagaboxErrorOf(testHandlers(writer, given).deliver('Write', { items }));
      expect(error.code).toBe('InvalidTransactionItem');
      expect(error.message).toContain(problem);
    }
  });

  it.each([[{ id: 'x' }], [{ id: { S: '1' }, balance: { N: 5 } }], [{ id: { S: '1' }, note: undefined }]])(
    'refuse %j among the items of a table',
    (item) => {
      const given = { accounts: { key: ['id'] as const, items: [item as never] } };
      expect(() => testHandlers(writer, { tables: given })).toThrow(/tables\['accounts'\].*items\[0\]\./);
    },
  );

  it('are shared by the endpoints of an app, and by the runs of a session', async () => {
    const app = testApp(
      [
        { endpoint: 'one', handles: writer },
        { endpoint: 'two', handles: writer },
      ],
      { destinations: ['audit'], tables, throwOnFailure: false },
    );
    app.send('one', 'Write', { items: [put('2')] });
    app.send('two', 'Write', { items: [put('2')] });
    await app.deliverAll();
    expect(app.endpoint('two').errorQueue[0]?.failure.code).toBe(fails);
    expect(app.items('accounts')).toHaveLength(2);

    const session = testSession(
      async (_event: object, { transaction }: OutboxSessionContext) => transaction.add(put('2')),
      { tables },
    );
    await session.run({});
    expect((await sagaboxErrorOf(session.run({}))).code).toBe(fails);
    expect([session.items('accounts').length, session.unevaluatedConditions]).toEqual([2, []]);
  });

  it.each([
    ['without a key', { accounts: { key: [] as never } }],
    ['with an item that lacks the key', { accounts: { key: ['id'], items: [{}] } } as const],
  ])('%s are refused', (_of, wrong) => {
    expect(refusalOf(() => testHandlers(writer, { tables: wrong })).code).toBe('Configuration');
  });
});
