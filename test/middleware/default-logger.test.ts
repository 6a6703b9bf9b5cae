import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { defaultLogger } from '../../lib/middleware/default-logger.ts';

const FORMAT = 'AWS_LAMBDA_LOG_FORMAT';
const given = process.env[FORMAT];

afterEach(() => {
  if (given === undefined) delete process.env[FORMAT];
  else process.env[FORMAT] = given;
  jest.restoreAllMocks();
});

/** What a function with JSON logs writes of a warning. */
function warned(facts: Record<string, unknown>): Record<string, unknown> {
  process.env[FORMAT] = 'JSON';
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  defaultLogger().warn('It failed', facts);
  const text = write.mock.calls.map(([line]) => String(line)).join('');
  expect(text).toMatch(/^[^\n]+\n$/);
  return JSON.parse(text);
}

describe('the default logger', () => {
  it.each([undefined, 'Text'])('is console when the log format is %s', (format) => {
    if (format === undefined) delete process.env[FORMAT];
    else process.env[FORMAT] = format;
    expect(defaultLogger()).toBe(console);
  });

  it('writes one JSON object a line, with level and timestamp, when it is JSON', () => {
    expect(warned({ messageId: 'm1', level: 'other' })).toEqual({
      level: 'WARN',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      message: 'It failed',
      messageId: 'm1',
    });
  });

  it('tells errors with their cause, and bigints', () => {
    const error = new TypeError('bad', { cause: new Error('worse') });
    expect(warned({ error, count: 1n })).toMatchObject({
      error: { name: 'TypeError', message: 'bad', stack: expect.any(String), cause: { message: 'worse' } },
      count: '1',
    });
  });

  it('goes on without facts that are no JSON', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(warned({ circle })).toMatchObject({ message: 'It failed', unreadableFacts: expect.any(String) });
  });
});
