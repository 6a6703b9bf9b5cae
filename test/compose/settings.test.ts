import { describe, expect, it } from '@jest/globals';
import { deduplicationSeconds } from '../../lib/compose/settings.ts';

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
    [{ days: Number.POSITIVE_INFINITY }, {}, 'its days are Infinity, not a finite number'],
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
