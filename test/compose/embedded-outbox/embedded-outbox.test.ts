import { describe, expect, it } from '@jest/globals';
import { embeddedOutbox } from 'sagabox';

describe('an embedded outbox', () => {
  it.each([
    [undefined, 'embedded'],
    [{}, 'embedded'],
    [{ withRecords: false }, 'embedded'],
    [{ withRecords: undefined }, 'embedded'],
    [{ withRecords: true }, 'both'],
  ])('with %j has the form %s', (options, form) => {
    expect(embeddedOutbox(options).form).toBe(form);
  });

  it.each([
    [{ withRecords: 'yes' }, 'embeddedOutbox.withRecords', '"yes" is not true or false', 'Use true or false'],
    [
      { withrecords: true },
      'embeddedOutbox.withrecords',
      /did you mean 'withRecords'\?/,
      'Rename it, or leave it out',
    ],
    ['records', 'embeddedOutbox', '"records" is not an object', 'Use one'],
    [null, 'embeddedOutbox', 'null is not an object', 'Use one'],
  ])('is refused with %j', (options, setting, problem, remedy) => {
    expect(() => embeddedOutbox(options as never)).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        facts: {
          setting,
          problem: expect.stringMatching(problem),
          remedy,
        },
      }),
    );
  });
});
