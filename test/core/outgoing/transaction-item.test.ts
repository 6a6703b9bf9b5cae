import { describe, expect, it } from '@jest/globals';
import { detachTransactionItem } from '../../../lib/core/outgoing/transaction-item.ts';
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
  ])('is refused with %s', (_case, item, detail) => {
    const error = refusalOf(() => detachTransactionItem(item as never, 3));
    expect(error).toMatchObject({ code: 'InvalidTransactionItem', facts: { index: 3, detail } });
  });
});
