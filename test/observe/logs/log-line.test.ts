import { describe, expect, it } from '@jest/globals';
import { logLine, MAX_LINE_BYTES } from '../../../lib/observe/logs/log-line.ts';

const head = { timestamp: '2026-11-24T00:00:00.000Z', level: 'WARN', message: 'It failed' };

describe('a line', () => {
  it('begins with what people look for', () => {
    expect(logLine({ ...head, requestId: 'r1' }, { messageId: 'm1', facts: { step: 1 } })).toBe(
      '{"timestamp":"2026-11-24T00:00:00.000Z","level":"WARN","message":"It failed","requestId":"r1",' +
        '"messageId":"m1","facts":{"step":1}}',
    );
  });

  it('keeps fields that have the name of one of its own, in facts', () => {
    const told = (fields: Record<string, unknown>) => JSON.parse(logLine(head, fields));
    expect(told({ level: 'high', messageId: 'm1' })).toEqual({
      ...head,
      messageId: 'm1',
      facts: { level: 'high' },
    });
    expect(told({ message: 'm', facts: { a: 1 } })).toEqual({ ...head, facts: { a: 1, message: 'm' } });
    expect(told({ level: 1, facts: 'text' })).toEqual({ ...head, facts: { facts: 'text', level: 1 } });
    expect(told({ truncated: 'no' })).toEqual({ ...head, facts: { truncated: 'no' } });
    expect(told({ requestId: 'of the caller' })).toEqual({ ...head, requestId: 'of the caller' });
  });

  it('makes no metrics: its fields may be a message', () => {
    const metrics = { Timestamp: 0, CloudWatchMetrics: [{ Namespace: 'sagabox', Metrics: [{ Name: 'a' }] }] };
    const told = JSON.parse(logLine(head, { _aws: metrics, a: 1 }));
    expect(told).toEqual({ ...head, a: 1, facts: { _aws: metrics } });
  });

  it('is one line', () => {
    expect(logLine({ ...head, message: 'a\nb' }, { text: 'c\r\nd' })).not.toMatch(/[\r\n]/);
  });

  it.each([
    ['long strings', { texts: Array.from({ length: 20 }, () => '\u0000'.repeat(10_000)) }],
    [
      'many fields',
      Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field ${index}`, index])),
    ],
    ['many elements', { list: Array.from({ length: 100_000 }, () => []) }],
  ])('fits into a pipe at once, and says that it was cut: %s', (_kind, fields) => {
    const line = logLine({ ...head, message: 'x'.repeat(100_000) }, { messageId: 'm1', ...fields });
    expect(Buffer.byteLength(`${line}\n`)).toBeLessThanOrEqual(MAX_LINE_BYTES);
    expect(JSON.parse(line)).toMatchObject({ level: 'WARN', messageId: 'm1', truncated: true });
  });
});
