import { describe, expect, it } from '@jest/globals';
import { configureFlow } from '../../lib/middleware/configure-flow.ts';
import { recordFormOf } from '../../lib/middleware/record-form-setting.ts';

describe('the form of outbox records', () => {
  it.each([
    [undefined, undefined, 'slim'],
    [undefined, '', 'slim'],
    [undefined, 'plain', 'plain'],
    [undefined, 'slim', 'slim'],
    ['plain', undefined, 'plain'],
    ['slim', 'plain', 'slim'],
  ] as const)('with the option %s, deployed as %s, is %s', (recordForm, variable, expected) => {
    const options = recordForm ? { recordForm } : {};
    const environment = { SAGABOX_RECORD_FORM: variable };
    expect(recordFormOf(options, environment)).toBe(expected);
    const endpoint = { endpoint: 'orders', outboxTable: { tableName: 'outbox' } };
    expect(configureFlow({ ...endpoint, ...options }, environment).recordForm).toBe(expected);
  });

  it('is refused where there is no such form', () => {
    expect(() => recordFormOf({}, { SAGABOX_RECORD_FORM: 'fat' })).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        message: expect.stringMatching(/recordForm \(or SAGABOX_RECORD_FORM\).*"fat".*Use 'slim' or 'plain'/),
      }),
    );
  });
});
