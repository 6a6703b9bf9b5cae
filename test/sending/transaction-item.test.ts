import { describe, expect, it } from '@jest/globals';
import { detachTransactionItem } from '../../lib/sending/transaction-item.ts';
import { refusalOf } from './unit-of-work-of.ts';

const Put = { TableName: 't', Item: {} };
const Delete = { TableName: 't', Key: {} };
const oneOf = 'it needs one of Put, Update, Delete, ConditionCheck, and has';
const noTable = 'its Put names no table: is the environment variable with the name set?';

describe('a write of the handler', () => {
  it.each([{ Put }, { Delete }, { Put: undefined, Delete }])('may be %j', (item) => {
    expect(detachTransactionItem(item, 0)).toEqual(item);
  });

  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, 'it is not an object'],
    ['null', null, 'it is not an object'],
    ['a string', 'Put', 'it is not an object'],
    ['no operation', {}, `${oneOf} 0`],
    ['an operation that is undefined', { Put: undefined }, `${oneOf} 0`],
    ['two operations', { Put, Delete }, `${oneOf} 2`],
    ['an operation that is null', { Put: null }, noTable],
    ['no table', { Put: { ...Put, TableName: undefined } }, noTable],
    ['an empty table name', { Put: { ...Put, TableName: '' } }, noTable],
    [
      'a function in it',
      { Put: { ...Put, Item: { total: String } } },
      expect.stringMatching(/^it holds what no write can: .*could not be cloned/),
    ],
    [
      'a value without a type',
      { Put: { ...Put, Item: { id: 'x' } } },
      "its Put of table 't' cannot be written: Item.id is a string, without a type: use { S: … }",
    ],
    [
      'a value that is undefined',
      { Put: { ...Put, Item: { id: undefined } } },
      expect.stringContaining('Item.id is undefined'),
    ],
    [
      'a number that is no string',
      { Put: { ...Put, Item: { id: { N: 5 } } } },
      expect.stringContaining('Item.id.N is a number'),
    ],
    ['no item', { Put: { TableName: 't' } }, expect.stringContaining('Item is undefined')],
    ['no key', { Delete: { TableName: 't' } }, expect.stringContaining('Key is undefined')],
    [
      'a wrong key',
      { Update: { TableName: 't', Key: { id: 5 } } },
      expect.stringContaining("its Update of table 't' cannot be written: Key.id is a number"),
    ],
    [
      'a wrong value of its expression',
      {
        ConditionCheck: {
          TableName: 't',
          Key: { id: { S: 'a' } },
          ExpressionAttributeValues: { ':v': { NS: [] } },
        },
      },
      expect.stringContaining('ExpressionAttributeValues[":v"].NS is empty'),
    ],
    [
      'a name that is no string',
      { Delete: { TableName: 't', Key: { id: { S: 'a' } }, ExpressionAttributeNames: { '#n': undefined } } },
      expect.stringContaining('ExpressionAttributeNames["#n"] is undefined, not a string'),
    ],
  ])('is refused with %s', (_case, item, detail) => {
    const error = refusalOf(() => detachTransactionItem(item as never, 3));
    expect(error).toMatchObject({ code: 'InvalidTransactionItem', facts: { index: 3, detail } });
  });
});
