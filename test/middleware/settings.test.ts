import { describe, expect, it } from '@jest/globals';
import { deduplicationSeconds } from '../../lib/middleware/settings.ts';

const variable = 'SAGABOX_TIME_TO_KEEP_DEDUPLICATION_DATA_SECONDS';

describe('how long a message is known', () => {
  it.each([
    ['the default', {}, {}, 604_800],
    ['what the construct says', {}, { [variable]: '60' }, 60],
    [
      'the option, whatever the construct says',
      { timeToKeepDeduplicationData: { hours: 1 } },
      { [variable]: '60' },
      3600,
    ],
  ])('is %s', (_case, options, environment, seconds) => {
    expect(deduplicationSeconds(options, environment)).toBe(seconds);
  });

  it.each([
    [{ timeToKeepDeduplicationData: { seconds: 0 } }, {}],
    [{ timeToKeepDeduplicationData: { seconds: -1 } }, {}],
    [{}, { [variable]: 'a week' }],
  ])('is not %j with %j', (options, environment) => {
    expect(() => deduplicationSeconds(options, environment)).toThrow(
      expect.objectContaining({ code: 'Configuration' }),
    );
  });
});
