import { describe, expect, it } from '@jest/globals';
import { tableOf } from '../../lib/compose/table-settings.ts';
import { storedAttributes } from '../../lib/dynamodb/stored-attributes.ts';
import { outboxTableSetting, sagaTableSetting } from '../../lib/settings/tables.ts';

describe.each([sagaTableSetting, outboxTableSetting])('the $option', (setting) => {
  const { option, variable } = setting;
  const names = { partitionKeyName: 'pk', sortKeyName: 'sk', timeToLiveAttributeName: 'ttl' };
  const read = (configured: Partial<typeof names>) =>
    tableOf(setting, { [option]: { tableName: 'table', ...configured } }, {});

  it('may have keys and a time to live of any names', () => {
    expect(read(names)).toEqual({ tableName: 'table', ...names });
    // Those of other cases are other attributes.
    expect(read({ partitionKeyName: 'sk' })).toMatchObject({ partitionKeyName: 'sk', sortKeyName: 'SK' });
    expect(read({ partitionKeyName: 'State' })).toMatchObject({ partitionKeyName: 'State' });
  });

  it.each(Object.keys(names))('with a %s that is stored otherwise is refused', (setting) => {
    for (const name of storedAttributes) {
      expect(() => read({ [setting]: name })).toThrow(
        expect.objectContaining({
          code: 'Configuration',
          facts: expect.objectContaining({
            setting: `${option}: ${setting}`,
            problem: expect.stringContaining(`'${name}'`),
          }),
        }),
      );
    }
  });

  it.each([
    { partitionKeyName: 'SK' },
    { sortKeyName: 'PK' },
    { sortKeyName: 'ExpiresAt' },
    { partitionKeyName: 'key', timeToLiveAttributeName: 'key' },
  ])('with one name for two, as in %j, is refused', (configured) => {
    expect(() => read(configured)).toThrow(/names two attributes/);
  });

  describe('of the environment', () => {
    const defaults = { partitionKeyName: 'PK', sortKeyName: 'SK', timeToLiveAttributeName: 'ExpiresAt' };
    const stated = (value: string, options = {}) => tableOf(setting, options, { [variable]: value });

    it.each(['orders', 'arn:aws:dynamodb:us-east-1:222222222222:table/orders'])(
      'may be a name or an ARN, as %s',
      (tableName) => {
        expect(stated(tableName)).toEqual({ tableName, ...defaults });
      },
    );

    it('may tell names of its own, of which those that it leaves out are the default ones', () => {
      expect(stated(JSON.stringify({ tableName: 'orders', ...names }))).toEqual({
        tableName: 'orders',
        ...names,
      });
      expect(stated('{"tableName":"orders","sortKeyName":"sk"}')).toEqual({
        tableName: 'orders',
        ...defaults,
        sortKeyName: 'sk',
      });
    });

    it('is forgotten, its names too, when the option names a table', () => {
      const value = JSON.stringify({ tableName: 'orders', ...names });
      expect(stated(value, { [option]: { tableName: 'other' } })).toEqual({
        tableName: 'other',
        ...defaults,
      });
    });

    it.each([
      ['', 'is set'],
      ['{}', 'is set'],
      ['{', 'not JSON'],
      ['{"tableName":1}', 'tableName: it is not a name'],
      ['{"tableName":"orders","sortKey":"sk"}', 'sortKey: a table has no such setting'],
      ['{"tableName":"orders","sortKeyName":""}', 'sortKeyName: it is not a name'],
      ['{"tableName":"orders","sortKeyName":"state"}', "in the attribute 'state'"],
    ])('is refused when it is %j', (value, problem) => {
      expect(() => stated(value)).toThrow(
        expect.objectContaining({ code: 'Configuration', message: expect.stringContaining(problem) }),
      );
    });
  });
});
