import { describe, expect, it } from '@jest/globals';
import { readTraceHeaders, traceHeaders } from '../../../lib/observe/tracing/trace-context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;

describe('readTraceHeaders', () => {
  it.each([
    ['01', 'sampled'],
    ['00', 'not sampled'],
    ['03', 'sampled'],
    ['02', 'not sampled'],
  ])('reads the flags %s as %s', (flags, result) => {
    const isSampled = result === 'sampled';
    const read = readTraceHeaders({ traceparent: `00-${traceId}-${spanId}-${flags}` });
    expect(read).toEqual({ traceId, spanId, isSampled, traceState: undefined });
  });

  it.each([
    ['none', undefined],
    ['an id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['another length', `${traceparent}0`],
    ['capitals', traceparent.toUpperCase()],
  ])('finds none in %s', (_, header) => {
    expect(readTraceHeaders(header === undefined ? {} : { traceparent: header })).toBeUndefined();
  });

  it.each([
    ['rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'read'],
    ['a'.repeat(512), 'read'],
    ['a'.repeat(513), 'ignored'],
    ['', 'ignored'],
    ['a=\n', 'ignored'],
  ])('has the state %j %s', (tracestate, result) => {
    const isRead = result === 'read';
    expect(readTraceHeaders({ traceparent, tracestate })?.traceState).toBe(isRead ? tracestate : undefined);
  });

  it('reads no state without a context', () => {
    expect(readTraceHeaders({ tracestate: 'a=1' })).toBeUndefined();
  });
});

describe('traceHeaders', () => {
  it('writes what is read', () => {
    const headers = { traceparent, tracestate: 'a=1' };
    const read = readTraceHeaders(headers);
    expect(read && traceHeaders(read)).toEqual(headers);
    expect(traceHeaders({ traceId, spanId, isSampled: false })).toEqual({
      traceparent: `00-${traceId}-${spanId}-00`,
    });
  });

  it('leaves out a state that may be dropped on the way', () => {
    const context = { traceId, spanId, isSampled: true };
    expect(traceHeaders({ ...context, traceState: 'a'.repeat(513) })).toEqual({ traceparent });
  });
});
