import { describe, expect, it } from '@jest/globals';
import { SagaboxError, UnrecoverableError } from '../../../lib/kernel/errors/errors.ts';
import { failureFields, logFields } from '../../../lib/observe/logs/log-fields.ts';

const saga = { sagaName: 'Order', sagaId: '7' };
const frames = expect.stringMatching(/^\s+at .*log-fields\.test\.ts/);
const sdkError = () => Object.assign(new Error('The condition failed'), { name: 'Cancelled', $metadata: {} });

describe('the fields of a failure', () => {
  it('of an expected one have no stack, and none of the SDK behind it', () => {
    const error = new SagaboxError(
      'SagaConcurrency',
      { ...saga, operation: 'update' },
      { cause: sdkError() },
    );
    expect(failureFields(error)).toEqual({
      code: 'SagaConcurrency',
      ...saga,
      facts: { operation: 'update' },
      error: {
        name: 'SagaboxError',
        message: error.message,
        cause: { name: 'Cancelled', message: 'The condition failed' },
      },
    });
  });

  it('of an unexpected one have its stack once, below its message, and those of its causes', () => {
    const error = new TypeError('a bug', { cause: new RangeError('a\nreason') });
    expect(failureFields(error)).toEqual({
      code: 'TypeError',
      error: {
        name: 'TypeError',
        message: 'a bug',
        stack: frames,
        cause: { name: 'RangeError', message: 'a\nreason', stack: frames },
      },
    });
  });

  it('of a call that a handler has to correct show where it is', () => {
    const facts = { messageType: 'A', destination: 'b', detail: 'c' };
    const { error } = failureFields(new SagaboxError('InvalidOutgoingMessage', facts));
    expect(error.stack).toEqual(frames);
  });

  it('of an unrecoverable message tell its message once, and why with a stack', () => {
    const error = new UnrecoverableError('The card was stolen', { cause: new Error('refused') });
    expect(failureFields(error)).toEqual({
      code: 'Unrecoverable',
      error: {
        name: 'UnrecoverableError',
        message: 'The card was stolen',
        cause: { name: 'Error', message: 'refused', stack: frames },
      },
    });
  });

  it('have the fields of an error of a library, and the errors of several', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', port: 80 });
    expect(failureFields(new AggregateError([refused], 'all failed'))).toMatchObject({
      code: 'AggregateError',
      error: { message: 'all failed', errors: [{ code: 'ECONNREFUSED', port: 80, message: 'refused' }] },
    });
  });

  it('follow the head of a stack that the name was changed after', () => {
    const error = new Error('renamed\nlater');
    error.name = 'Renamed';
    expect(failureFields(error)).toEqual({
      code: 'Renamed',
      error: { name: 'Renamed', message: 'renamed\nlater', stack: frames },
    });
  });

  it('end with a cause that is its own', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(failureFields(error)).match(/"message"/g)).toHaveLength(6);
  });

  it.each<[string, unknown, object]>([
    ['a string', 'gone', { code: 'Unknown', error: { message: '"gone"' } }],
    ['undefined', undefined, { code: 'Unknown', error: { message: 'undefined' } }],
    ['an object', { reason: 'gone' }, { code: 'Unknown', error: { message: '{"reason":"gone"}' } }],
  ])('tell a thrown value that is no error: %s', (_kind, thrown, told) => {
    expect(failureFields(thrown)).toEqual(told);
  });

  it('of an error that throws when it is asked do not throw', () => {
    const hostile = new Error('hostile');
    Object.defineProperty(hostile, 'cause', {
      get() {
        throw new Error('not yours');
      },
    });
    expect(failureFields(hostile)).toEqual({ code: 'Error', error: { message: 'hostile' } });
  });

  it('of a proxy that throws do not throw', () => {
    const facts = new SagaboxError('TableNotFound', { tableNames: [] });
    const hostile = new Proxy(facts, {
      get(target, name) {
        if (name === 'facts') throw new Error('not yours');
        return Reflect.get(target, name);
      },
    });
    expect(failureFields(hostile)).toEqual({ code: 'Unknown', error: { message: facts.message } });
  });

  it('have a bounded size', () => {
    const issues = Array.from({ length: 100 }, (_, index) => `${index}: ${'x'.repeat(10_000)}`);
    const error = new SagaboxError('InvalidMessage', { messageId: 'm1', messageType: 'A', issues });
    expect(JSON.stringify(failureFields(error)).length).toBeLessThan(45 * 1024);
  });
});

describe('the fields of a line', () => {
  const known = { messageId: 'm1', ...saga };

  it('tell nothing in facts that stands at the top', () => {
    const { facts } = new SagaboxError('LockTimeout', { ...saga, attempts: 3, waitedMs: 100 });
    expect(logFields(known, { facts })).toEqual({ ...known, facts: { attempts: 3, waitedMs: 100 } });
  });

  it('have no facts if there are none, or all of them stand at the top', () => {
    expect(logFields(known, { facts: saga })).toEqual(known);
    expect(logFields(known, { facts: {} })).toEqual(known);
  });

  it('keep a fact with another value, and an array', () => {
    expect(logFields(known, { facts: { sagaId: '8' } })).toEqual({ ...known, facts: { sagaId: '8' } });
    expect(logFields(known, { facts: ['m1'] })).toEqual({ ...known, facts: ['m1'] });
  });

  it('keep what a line is found by: what a handler tells under these names stands in facts', () => {
    expect(logFields(known, { messageId: 'other', total: 1 })).toEqual({
      ...known,
      total: 1,
      facts: { messageId: 'other' },
    });
    expect(logFields(known, { messageId: 'other', facts: { a: 1 } })).toEqual({
      ...known,
      facts: { a: 1, messageId: 'other' },
    });
    expect(logFields(known, { messageId: 'm1', sagaId: undefined })).toEqual(known);
  });

  it.each<[string, (error: unknown) => unknown]>([
    ['as a field', (error) => ({ error })],
    ['by itself', (error) => error],
  ])('tell an error of sagabox that a handler logs %s as a failure', (_how, told) => {
    const error = new SagaboxError('SagaConcurrency', { ...saga, operation: 'update' });
    const fields = { ...known, ...failureFields(error) };
    expect(logFields(known, told(error))).toEqual(fields);
    // The logger of the message, and behind it that of the line.
    expect(logFields({}, logFields(known, told(error)))).toEqual(fields);
  });

  it('tell beside an error of sagabox what a handler tells besides', () => {
    const error = new SagaboxError('LockTimeout', {
      sagaName: 'Order',
      sagaId: '8',
      attempts: 3,
      waitedMs: 1,
    });
    expect(logFields(known, { error, code: 'mine', step: 2 })).toEqual({
      ...known,
      step: 2,
      code: 'LockTimeout',
      error: failureFields(error).error,
      facts: { attempts: 3, waitedMs: 1, sagaId: '8', code: 'mine' },
    });
  });

  it.each<[string, unknown, object]>([
    ['nothing', undefined, {}],
    ['null', null, {}],
    ['a string', 'more', { facts: 'more' }],
  ])('take %s in place of an object', (_kind, told, fields) => {
    expect(logFields(known, told)).toEqual({ ...known, ...fields });
  });

  it('are not lost if one of them throws when it is read', () => {
    const hostile = {
      get total() {
        throw new RangeError('no total');
      },
    };
    expect(logFields(known, hostile)).toEqual({ ...known, facts: { total: '[RangeError: no total]' } });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(logFields(known, proxy)).toEqual({ ...known, facts: expect.stringMatching(/^\[TypeError: /) });
  });

  it('take an error in place of an object', () => {
    const error = new Error('gone');
    expect(logFields(known, error)).toEqual({ ...known, error });
  });
});
