import { describe, expect, it } from '@jest/globals';
import { storedAttributes } from '../../lib/core/storage/stored-attributes.ts';
import { deduplicationSeconds, tableOf } from '../../lib/middleware/settings.ts';

const variable = 'SAGABOX_DEDUPLICATION_PERIOD_SECONDS';

describe('how long a message is known', () => {
  it.each([
    ['the default', {}, {}, 604_800],
    ['what the construct says', {}, { [variable]: '60' }, 60],
    [
      'the option, whatever the construct says',
      { deduplicationPeriod: { hours: 1 } },
      { [variable]: '60' },
      3600,
    ],
  ])('is %s', (_case, options, environment, seconds) => {
    expect(deduplicationSeconds(options, environment)).toBe(seconds);
  });

  it.each([
    [{ seconds: 0 }, {}, 'not a positive duration'],
    [{ seconds: -1 }, {}, 'not a positive duration'],
    [{ days: Number.POSITIVE_INFINITY }, {}, 'not a positive duration'],
    [{ mins: 1 }, {}, "'mins' is no unit of time (known: milliseconds, seconds, minutes, hours, days)"],
    [0, {}, '0 is no duration'],
    [undefined, { [variable]: 'a week' }, 'not a positive duration'],
  ])('is not %j with %j', (deduplicationPeriod, environment, problem) => {
    const options = deduplicationPeriod === undefined ? {} : { deduplicationPeriod };
    expect(() => deduplicationSeconds(options as never, environment)).toThrow(
      expect.objectContaining({ code: 'Configuration', message: expect.stringContaining(problem) }),
    );
  });
});

describe.each(['sagaTable', 'outboxTable'] as const)('the %s', (option) => {
  const names = { partitionKeyName: 'pk', sortKeyName: 'sk', timeToLiveAttributeName: 'ttl' };
  const read = (configured: Partial<typeof names>) =>
    tableOf(option, { [option]: { tableName: 'table', ...configured } }, {});

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
});
