import { describe, expect, it } from '@jest/globals';
import type { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import { idempotencyKeyHeader } from '../../lib/session/idempotency-key.ts';
import {
  albEvent,
  appSyncEvent,
  bareEvent,
  functionUrlEvent,
  httpApiEvent,
  latticeEvent,
  latticeEvent2,
  restApiEvent,
} from '../support/http-events.ts';

const keyOf = idempotencyKeyHeader();

function keyIn(header: string): string | undefined {
  return keyOf(httpApiEvent({ headers: { 'idempotency-key': header } }));
}

describe('the header Idempotency-Key', () => {
  it.each([
    ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['  "with space"  ', 'with space'],
    ['"a \\"quoted\\" \\\\ key"', 'a "quoted" \\ key'],
    ['"key";a=1', 'key'],
    ['~!#$%&()*+-./:<=>?@[]^_`{|}', '~!#$%&()*+-./:<=>?@[]^_`{|}'],
  ])('%s is the key %s', (header, key) => {
    expect(keyIn(header)).toBe(key);
  });

  it.each([
    '',
    ' ',
    '""',
    '"unclosed',
    'unopened"',
    '"a", "b"',
    'a, b',
    'a b',
    'a;b',
    '"a\\b"',
    '"Zürich"',
    'Zürich',
    'a\u0000b',
    '"a\u0000b"',
    'a\\b',
  ])('%j is refused', (header) => {
    expect(() => keyIn(header)).toThrow(
      expect.objectContaining({ code: 'InvalidIdempotencyKey' }) as unknown as SagaboxError,
    );
  });

  it.each([
    ['HTTP API', httpApiEvent],
    ['function URL', functionUrlEvent],
    ['REST API', restApiEvent],
    ['ALB', albEvent],
    ['ALB with lists', (parts: object) => albEvent(parts, true)],
    ['VPC Lattice, version 1', latticeEvent],
    ['VPC Lattice, version 2', latticeEvent2],
    ['AppSync', appSyncEvent],
    ['AppSync, in a batch', (parts: object) => [appSyncEvent(parts), appSyncEvent(parts)]],
    ['REST API without its context', bareEvent],
    ['REST API without its lists', (parts: object) => ({ ...restApiEvent(parts), multiValueHeaders: {} })],
  ])('is found in any case in an event of %s, and may be absent', (_, eventOf) => {
    expect(keyOf(eventOf({ headers: { 'IDEMPOTENCY-key': 'k1' } }))).toBe('k1');
    expect(keyOf(eventOf({}))).toBeUndefined();
  });

  it('is refused when it is there twice', () => {
    const event = restApiEvent({ headers: { 'Idempotency-Key': 'a' } });
    const twice = { ...event, multiValueHeaders: { 'Idempotency-Key': ['a', 'b'] } };
    expect(() => keyOf(twice)).toThrow('is there 2 times');
  });

  it('can have another name, and is absent in what is no HTTP request', () => {
    expect(idempotencyKeyHeader('X-Request-Id')(httpApiEvent({ headers: { 'x-request-id': 'r1' } }))).toBe(
      'r1',
    );
    expect(keyOf({ detail: {} })).toBeUndefined();
    expect(keyOf(undefined)).toBeUndefined();
  });

  it.each(['', 'Idempotency Key', 'key:', 5, null])('cannot be called %j', (name) => {
    expect(() => idempotencyKeyHeader(name as never)).toThrow('is not the name of a header');
  });
});
