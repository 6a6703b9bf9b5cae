import { describe, expect, it } from '@jest/globals';
import { textLine } from '../../../lib/compose/logs/text-line.ts';
import { failureFields } from '../../../lib/observe/logs/log-fields.ts';

const withoutPlaces = (line: string) => line.replace(/\n {4}at .*/g, '');

describe('a line of text', () => {
  it('is its message alone without fields', () => {
    expect(textLine('Done', {})).toBe('Done');
  });

  it('has its fields in the same line, however deep', () => {
    const fields = { order: { lines: [{ article: { id: 'a1' } }] }, total: 12n };
    expect(textLine('Placed', fields)).toBe(
      "Placed { order: { lines: [ { article: { id: 'a1' } } ] }, total: '12' }",
    );
  });

  it('has the stack of an error below it, and those of its causes', () => {
    const error = new Error('all failed', {
      cause: new AggregateError([new RangeError('one'), 'two'], 'some'),
    });
    const line = textLine('It failed', { messageId: 'm1', error });
    expect(line).toMatch(/\nError: all failed\n {4}at .*text-line\.test\.ts/);
    expect(withoutPlaces(line)).toBe(
      "It failed { messageId: 'm1' }\n" +
        'Error: all failed\n[cause] AggregateError: some\n[error] RangeError: one\n[error] "two"',
    );
  });

  it('shows a failure as it shows an error, with the fields of a library', () => {
    const error = Object.assign(new Error('refused'), { status: 503 });
    expect(withoutPlaces(textLine('It failed', failureFields(error)))).toBe(
      "It failed { code: 'Error' }\nError: refused { status: 503 }",
    );
  });

  it('shows no secret', () => {
    const fields = { headers: { Authorization: 'Bearer abc' }, url: 'https://a.example/?token=abc' };
    expect(textLine('Called', fields)).toBe(
      "Called { headers: { Authorization: '***' }, url: 'https://a.example/?token=***' }",
    );
  });

  it('says that something was left out', () => {
    expect(textLine('Called', { body: 'x'.repeat(100_000) })).toMatch(/truncated: true }$/);
  });

  it('lists an error that is none', () => {
    expect(textLine('It failed', { error: 'gone' })).toBe("It failed { error: 'gone' }");
  });

  it('does not throw for a value that does', () => {
    const hostile = { [Symbol.for('nodejs.util.inspect.custom')]: () => Promise.reject };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(textLine('Seen', { hostile, proxy })).toMatch(/^Seen /);
  });
});
