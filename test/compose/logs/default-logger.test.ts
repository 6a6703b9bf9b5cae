import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { defaultLogger } from '../../../lib/compose/logs/default-logger.ts';

const variables = ['AWS_LAMBDA_LOG_FORMAT', 'AWS_LAMBDA_LOG_LEVEL'] as const;
const requestId = Symbol.for('aws.lambda.runtime.requestId');
const runtime = globalThis as { awslambda?: unknown; [requestId]?: string };
const given = variables.map((name) => process.env[name]);

function set(values: readonly (string | undefined)[]): void {
  for (const [index, name] of variables.entries()) {
    const value = values[index];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

afterEach(() => {
  set(given);
  delete runtime.awslambda;
  delete runtime[requestId];
  jest.restoreAllMocks();
});

describe('with JSON logs, the default logger', () => {
  let lines: Record<string, unknown>[];

  beforeEach(() => {
    set(['JSON']);
    lines = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      expect(text).toMatch(/^[^\n]+\n$/);
      return lines.push(JSON.parse(String(text))) > 0;
    });
  });

  it('writes one JSON object a line, with level and timestamp', () => {
    defaultLogger().warn('It failed', { messageId: 'm1' });
    expect(lines).toEqual([
      {
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: 'WARN',
        message: 'It failed',
        messageId: 'm1',
      },
    ]);
  });

  it.each([
    [undefined, ['DEBUG', 'INFO', 'WARN', 'ERROR']],
    ['TRACE', ['DEBUG', 'INFO', 'WARN', 'ERROR']],
    ['INFO', ['INFO', 'WARN', 'ERROR']],
    ['warn', ['WARN', 'ERROR']],
    ['FATAL', []],
    ['unknown', ['DEBUG', 'INFO', 'WARN', 'ERROR']],
  ])('at level %s writes %j', (level, written) => {
    set(['json', level]);
    const { debug, info, warn, error } = { ...defaultLogger() };
    for (const write of [debug, info, warn, error]) write?.('a line', {});
    expect(lines.map((line) => line.level)).toEqual(written);
  });

  it.each<[string, () => void, string | undefined]>([
    ['is known', () => Object.assign(runtime, { awslambda: { InvokeStore: storeOf('r1') } }), 'r1'],
    ['is known to an older runtime', () => Object.assign(runtime, { [requestId]: 'r2' }), 'r2'],
    ['is not known', () => Object.assign(runtime, { awslambda: { InvokeStore: storeOf() } }), undefined],
  ])('tells the invocation if it %s', (_kind, prepare, told) => {
    const logger = defaultLogger();
    prepare();
    logger.info('a line', {});
    expect(lines[0]?.requestId).toBe(told);
  });

  it('tells an error of the caller with its cause', () => {
    const error = new TypeError('bad', { cause: new Error('worse') });
    defaultLogger().error('It failed', error as never);
    const stack = expect.stringMatching(/^ +at /);
    expect(lines).toMatchObject([
      { error: { name: 'TypeError', message: 'bad', stack, cause: { message: 'worse', stack } } },
    ]);
  });
});

const storeOf = (id?: string) => ({ hasContext: () => id !== undefined, getRequestId: () => id ?? '-' });

describe('with text logs, the default logger', () => {
  it.each([undefined, 'Text'])('writes to the console: %s', (format) => {
    set([format]);
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    defaultLogger().warn('It failed', { messageId: 'm1', at: new Date(0) });
    expect(warn.mock.calls).toEqual([["It failed { messageId: 'm1', at: '1970-01-01T00:00:00.000Z' }"]]);
  });
});
