import { PutItemCommand, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { defineHandlers, itemSize, type OutboxSessionContext } from 'sagabox';
import { testApp, testHandlers, testSession } from 'sagabox/testing';
import { z } from 'zod';
import { reservedWords } from '../../../lib/testing/tables/reserved-words.ts';
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
  holder: { S: 'Ada' },
  active: { BOOL: true },
  entries: { L: [{ S: 'a' }, { S: 'b' }, { S: 'c' }] },
  tags: { SS: ['x', 'y'] },
  limits: { M: { daily: { N: '5' }, steps: { L: [{ M: { since: { N: '1' } } }] } } },
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
    (error) => outcomes[error.code] ?? error.code,
  );
  expect(test.outgoing).toHaveLength(code === 'holds' ? 1 : 0);
  expect(test.unevaluatedConditions).toEqual([]);
  return code;
}

const fails = 'TransactionConditionFailed';

const refused = 'RequestRejected';
const outcomes: Record<string, string> = {
  ConditionalCheckFailedException: fails,
  ValidationException: refused,
  // Found before the table is asked.
  InvalidTransactionItem: refused,
};

const conditions = [
  ['attribute_exists(balance)', {}, 'holds'],
  ['attribute_exists(absent)', {}, fails],
  ['attribute_not_exists(absent)', {}, 'holds'],
  ['attribute_not_exists(balance)', {}, fails],
  ['attribute_exists(entries[0]) and attribute_not_exists(entries[3])', {}, 'holds'],
  ['attribute_exists(limits.steps[0].since)', {}, 'holds'],
  ['balance >= :v', { ':v': { N: '10' } }, 'holds'],
  ['balance > :v', { ':v': { N: '10' } }, fails],
  ['balance < :v', { ':v': { N: '10.5' } }, 'holds'],
  ['balance <= :v', { ':v': { N: '9' } }, fails],
  ['balance = :v', { ':v': { N: '1e1' } }, 'holds'],
  ['balance < :v', { ':v': { N: '10.00000000000000000000000000000000001' } }, 'holds'],
  ['balance > :v', { ':v': { N: '-1e125' } }, 'holds'],
  ['balance = :v', { ':v': { S: '10' } }, fails],
  ['balance <> :v', { ':v': { S: '10' } }, 'holds'],
  ['absent <> :v', { ':v': { S: '10' } }, 'holds'],
  ['absent < :v', { ':v': { S: '10' } }, fails],
  ['holder < :v', { ':v': { S: 'Bob' } }, 'holds'],
  ['active = :v', { ':v': { BOOL: false } }, fails],
  ['tags = :v', { ':v': { SS: ['y', 'x'] } }, 'holds'],
  ['entries = :v', { ':v': { L: [{ S: 'a' }, { S: 'b' }, { S: 'c' }] } }, 'holds'],
  ['entries = :v', { ':v': { L: [{ S: 'a' }] } }, fails],
  ['limits.steps[0] = :v', { ':v': { M: { since: { N: '1.0' } } } }, 'holds'],
  ['begins_with(holder, :v)', { ':v': { S: 'A' } }, 'holds'],
  ['begins_with(holder, :v)', { ':v': { S: 'd' } }, fails],
  ['contains(holder, :v)', { ':v': { S: 'd' } }, 'holds'],
  ['contains(tags, :v)', { ':v': { S: 'x' } }, 'holds'],
  ['contains(tags, :v)', { ':v': { S: 'z' } }, fails],
  ['contains(entries, :v)', { ':v': { S: 'b' } }, 'holds'],
  ['attribute_type(limits, :v)', { ':v': { S: 'M' } }, 'holds'],
  ['attribute_type(limits, :v)', { ':v': { S: 'L' } }, fails],
  ['size(entries) = :v AND size(holder) = :v AND size(tags) < :v', { ':v': { N: '3' } }, 'holds'],
  ['size(balance) = :v', { ':v': { N: '2' } }, fails],
  ['balance BETWEEN :a AND :b AND balance <> :a', { ':a': { N: '1' }, ':b': { N: '10' } }, 'holds'],
  ['balance BETWEEN :a AND :b', { ':a': { N: '1' }, ':b': { N: '9' } }, fails],
  ['balance IN (:a, :b)', { ':a': { S: '10' }, ':b': { N: '10' } }, 'holds'],
  ['balance IN (:a)', { ':a': { S: '10' } }, fails],
  [
    'holder = :n AND (balance > :v OR NOT active = :o)',
    { ':n': { S: 'Ada' }, ':v': { N: '99' }, ':o': { BOOL: false } },
    'holds',
  ],
  [
    'holder = :n AND balance > :v OR active = :o',
    { ':n': { S: 'Ada' }, ':v': { N: '99' }, ':o': { BOOL: false } },
    fails,
  ],
  ['((balance = :v))', { ':v': { N: '10' } }, refused],
  ['attribute_exists(:v)', { ':v': { N: '10' } }, refused],
  ['size(:v) = :v', { ':v': { N: '10' } }, refused],
  ['status = :v', { ':v': { N: '10' } }, refused],
  ['balance = :absent', {}, refused],
  ['attribute_exists(#absent)', {}, refused],
  ['balance = :v', { ':v': { N: 'ten' } }, refused],
  ['balance = :v', { ':v': { N: '1e126' } }, refused],
  ['balance = :v', { ':v': { N: '10' }, ':unused': { N: '1' } }, refused],
  ['balance = :v', { ':v': { N: '1'.repeat(39) } }, refused],
  ['foo(balance)', {}, refused],
  ['balance NOT IN (:v)', { ':v': { N: '1' } }, refused],
] as const;

describe('a condition of transaction.add', () => {
  it.each(conditions)('%s with %j -> %s', async (condition, values, expected) => {
    expect(await outcomeOf(condition, values)).toBe(expected);
  });

  it('has the outcome that it has on a DynamoDB engine', async () => {
    const TableName = await createTable();
    const client = dynamoDBClient();
    const Item = { ...account, PK: { S: 'account' }, SK: { S: '1' } };
    await client.send(new PutItemCommand({ TableName, Item }));
    for (const [ConditionExpression, values, expected] of conditions) {
      const ExpressionAttributeValues = Object.keys(values).length > 0 ? values : undefined;
      const put = { TableName, Item, ConditionExpression, ExpressionAttributeValues };
      const outcome = await client.send(new PutItemCommand(put as never)).then(
        () => 'holds',
        (error) => outcomes[error.name] ?? error,
      );
      expect([ConditionExpression, outcome]).toEqual([ConditionExpression, expected]);
    }
  });

  it('takes names of placeholders, and finds no item under another key', async () => {
    expect(await outcomeOf('attribute_exists(#b)', {}, { '#b': 'balance' })).toBe('holds');
    expect(await outcomeOf('attribute_exists(id)', {}, {}, '2')).toBe(fails);
    expect(await outcomeOf('attribute_not_exists(id)', {}, {}, '2')).toBe('holds');
  });

  it.each([
    ['holder = !', {}],
    ['attribute_exists(holder) attribute_exists(id)', {}],
    ['(attribute_exists(holder)', {}],
  ])('%s is named as what the test kit does not evaluate', async (condition, values) => {
    expect(await outcomeOf(condition, values)).toBe('Configuration');
  });

  // As DynamoDB does, and the engine of these tests does not.
  it.each([
    ['active < :v', { ':v': { BOOL: true } }],
    ['attribute_type(holder, :v)', { ':v': { S: 'X' } }],
    ['Attribute_Exists(holder)', {}],
    ['_holder = :v', { ':v': { S: 'Ada' } }],
  ])('%s is refused', async (condition, values) => {
    expect(await outcomeOf(condition, values)).toBe(refused);
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

const { id: _id, ...stored } = account;
const { entries: _entries, holder: _holder, ...short } = stored;
const { M: bounds } = account.limits;
const updates = [
  [
    'SET balance = balance - :v, seen = :s REMOVE entries, holder',
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
  ['ADD balance :v', { ':v': { N: '2.50' } }, { ...stored, balance: { N: '12.5' } }],
  ['ADD visits :v', { ':v': { N: '1' } }, { ...stored, visits: { N: '1' } }],
  ['ADD tags :v', { ':v': { SS: ['y', 'z'] } }, { ...stored, tags: { SS: ['x', 'y', 'z'] } }],
  ['ADD labels :v', { ':v': { NS: ['1'] } }, { ...stored, labels: { NS: ['1'] } }],
  [
    'ADD limits.daily :v',
    { ':v': { N: '1' } },
    { ...stored, limits: { M: { ...bounds, daily: { N: '6' } } } },
  ],
  ['DELETE tags :v', { ':v': { SS: ['y', 'z'] } }, { ...stored, tags: { SS: ['x'] } }],
  ['DELETE tags :v', { ':v': { SS: ['x', 'y'] } }, without(stored, 'tags')],
  ['DELETE labels :v', { ':v': { SS: ['x'] } }, stored],
  [
    'SET balance = if_not_exists(balance, :zero) + :v, visits = if_not_exists(visits, :zero) + :v',
    { ':zero': { N: '0' }, ':v': { N: '1' } },
    { ...stored, balance: { N: '11' }, visits: { N: '1' } },
  ],
  [
    'SET entries = list_append(entries, :v), history = list_append(if_not_exists(history, :none), :v)',
    { ':v': { L: [{ S: 'd' }] }, ':none': { L: [] } },
    {
      ...stored,
      entries: { L: [...account.entries.L, { S: 'd' }] },
      history: { L: [{ S: 'd' }] },
    },
  ],
  [
    'SET limits.daily = limits.daily + :v, limits.weekly = :v, limits.steps[0].#since = :v',
    { ':v': { N: '2' } },
    {
      ...stored,
      limits: {
        M: { daily: { N: '7' }, weekly: { N: '2' }, steps: { L: [{ M: { since: { N: '2' } } }] } },
      },
    },
    { '#since': 'since' },
  ],
  [
    'SET entries[1] = :v, #dotted = :v REMOVE entries[0], limits.steps',
    { ':v': { S: 'z' } },
    {
      ...stored,
      entries: { L: [{ S: 'z' }, { S: 'c' }] },
      limits: { M: { daily: { N: '5' } } },
      'a.b': { S: 'z' },
    },
    { '#dotted': 'a.b' },
  ],
  ['SET balance = seen, seen = balance', {}, refused],
  [
    'SET balance = limits.daily, limits.daily = balance',
    {},
    { ...stored, balance: { N: '5' }, limits: { M: { ...bounds, daily: { N: '10' } } } },
  ],
  ['REMOVE absent, entries[9]', {}, stored],
  [
    'set balance = :v remove holder add visits :v delete tags :s',
    { ':v': { N: '1' }, ':s': { SS: ['x'] } },
    {
      ...without(stored, 'holder'),
      balance: { N: '1' },
      visits: { N: '1' },
      tags: { SS: ['y'] },
    },
  ],
  ['SET balance = balance + :v', { ':v': { N: '1e-37' } }, refused],
  ['SET a = absent', {}, refused],
  ['SET holder = holder + :v', { ':v': { N: '1' } }, refused],
  ['SET id = :v', { ':v': { S: '2' } }, refused],
  ['SET balance = :v REMOVE balance', { ':v': { N: '1' } }, refused],
  ['SET limits = :v, limits.daily = :v', { ':v': { N: '1' } }, refused],
  ['SET limits.daily = :v, limits[0] = :v', { ':v': { N: '1' } }, refused],
  ['SET absent.daily = :v', { ':v': { N: '1' } }, refused],
  ['SET holder.first = :v', { ':v': { N: '1' } }, refused],
  ['SET limits[0] = :v', { ':v': { N: '1' } }, refused],
  ['SET balance = :v SET active = :v', { ':v': { N: '1' } }, refused],
  ['SET balance = :v', { ':v': { N: '1' }, ':unused': { N: '1' } }, refused],
  ['SET status = :v', { ':v': { N: '1' } }, refused],
  ['SET entries = list_append(entries, :v)', { ':v': { S: 'd' } }, refused],
  ['SET balance = foo(balance)', {}, refused],
  ['ADD holder :v', { ':v': { N: '1' } }, refused],
  ['ADD balance :v', { ':v': { S: '1' } }, refused],
  ['ADD tags :v', { ':v': { NS: ['1'] } }, refused],
  ['DELETE tags :v', { ':v': { S: 'x' } }, refused],
  ['DELETE holder :v', { ':v': { SS: ['x'] } }, refused],
  ['SET tags = :v', { ':v': { SS: [] } }, refused],
] as const;

type Row = readonly [string, object, object | typeof refused, object?];

function without(item: object, name: string): object {
  return Object.fromEntries(Object.entries(item).filter(([each]) => each !== name));
}

function withValues(UpdateExpression: string, values: object, names?: object) {
  return {
    UpdateExpression,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values as never }),
    ...(names && { ExpressionAttributeNames: names as never }),
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

  it.each(updates)('%s with %j -> %j', async (...row) => {
    const [expression, values, expected, names] = row as unknown as Row;
    const test = testHandlers(writer, { tables });
    const update = { TableName: 'accounts', Key, ...withValues(expression, values, names) };
    const code = await test.deliver('Write', { items: [{ Update: update }] }).then(
      () => undefined,
      (error) => outcomes[error.code] ?? error.code,
    );
    if (expected === refused) expect([code, test.items('accounts')]).toEqual([refused, [account]]);
    else expect([code, test.items('accounts')]).toEqual([undefined, [{ id: Key.id, ...expected }]]);
  });

  it('are updated as a DynamoDB engine updates them', async () => {
    const TableName = await createTable();
    const client = dynamoDBClient();
    for (const [index, [expression, values, expected, names]] of updates.entries()) {
      const key = { PK: { S: 'account' }, SK: { S: String(index) } };
      await client.send(new PutItemCommand({ TableName, Item: { ...account, ...key } }));
      const written = client.send(
        new UpdateItemCommand({
          TableName,
          Key: key,
          ReturnValues: 'ALL_NEW',
          ...withValues(expression.replace(/\bid\b/, 'PK'), values, names),
        }),
      );
      const outcome = await written.then(
        ({ Attributes: { PK: _pk, SK: _sk, id: _id, ...item } = {} }) => item,
        (error) => (error.name === 'ValidationException' ? refused : error),
      );
      expect([expression, outcome]).toEqual([expression, expected]);
    }
  });

  // Where the engine of these tests differs from DynamoDB.
  it.each([
    ['SET entries[7] = :v, entries[5] = :w', ['a', 'b', 'c', 'w', 'v']],
    ['REMOVE entries[0], entries[2]', ['b']],
    ['REMOVE absent.part', refused],
  ])('update lists by %s -> %j', async (expression, expected) => {
    const test = testHandlers(writer, { tables });
    const given = { ':v': { S: 'v' }, ':w': { S: 'w' } };
    const values = expression.includes(':v') ? given : {};
    const Update = { TableName: 'accounts', Key, ...withValues(expression, values) };
    const outcome = await test.deliver('Write', { items: [{ Update }] }).then(
      () => test.items('accounts')[0]?.entries?.L?.map(({ S }) => S),
      (error) => error.code,
    );
    expect(outcome).toEqual(expected);
  });

  it.each(['SET balance = (balance + :v)', 'SET balance balance', 'COUNT balance :v'])(
    'name what they do not evaluate: %s',
    async (expression) => {
      const test = testHandlers(writer, { tables });
      const values = expression.includes(':v') ? { ':v': { N: '1' } } : {};
      const Update = { TableName: 'accounts', Key, ...withValues(expression, values) };
      const error = await sagaboxErrorOf(test.deliver('Write', { items: [{ Update }] }));
      expect([error.code, error.message]).toEqual([
        'Configuration',
        expect.stringContaining('does not evaluate'),
      ]);
    },
  );

  it('know the reserved words that an engine refuses', async () => {
    const TableName = await createTable();
    const client = dynamoDBClient();
    const Item = { PK: { S: '1' }, SK: { S: '1' } };
    for (const word of reservedWords) {
      const put = { TableName, Item, ConditionExpression: `attribute_exists(${word})` };
      const name = await client.send(new PutItemCommand(put)).then(
        () => 'taken',
        (error) => error.name,
      );
      expect([word, name]).toEqual([word, 'ValidationException']);
    }
    expect(reservedWords.size).toBe(573);
  });

  it('keep items as DynamoDB does: numbers in one form, up to 400 KB', async () => {
    const item = { id: { S: '2' }, amounts: { L: [{ N: '1.50' }, { N: '1e2' }] }, text: { S: 'x' } };
    const test = testHandlers(writer, { tables: { accounts: { key: ['id'], items: [item] } } });
    const stored = { ...item, amounts: { L: [{ N: '1.5' }, { N: '100' }] } };
    expect(test.items('accounts')).toEqual([stored]);
    const Update = {
      TableName: 'accounts',
      Key: { id: { S: '2' } },
      ...withValues('SET more = :v', {
        ':v': { S: 'x'.repeat(409_600 - itemSize({ ...stored, more: { S: '' } })) },
      }),
    };
    await test.deliver('Write', { items: [{ Update }] });
    const larger = { ...Update, ...withValues('SET y = :v', { ':v': { S: '' } }) };
    expect((await sagaboxErrorOf(test.deliver('Write', { items: [{ Update: larger }] }))).code).toBe(refused);
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
    ['more than the key', { Key: { ...Key, holder: { S: 'Ada' } } }],
    ['a key over 2048 bytes', { Key: { id: { S: 'x'.repeat(2049) } } }],
  ])('refuse a write with %s', async (_of, write) => {
    const test = testHandlers(writer, { tables });
    const items = [{ Delete: { TableName: 'accounts', ...write } }];
    expect((await sagaboxErrorOf(test.deliver('Write', { items }))).code).toBe(refused);
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
    [
      'with a number that is none',
      { accounts: { key: ['id'], items: [{ ...Key, n: { N: 'x' } }] } } as const,
    ],
  ])('%s are refused', (_of, wrong) => {
    expect(refusalOf(() => testHandlers(writer, { tables: wrong })).code).toBe('Configuration');
  });
});
