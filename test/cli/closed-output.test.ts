import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { whenClosed } from '../../lib/cli/closed-output.ts';

const errorOf = (code: string) => Object.assign(new Error(code), { code });

describe('an output that is closed', () => {
  it('calls back, the last one that asked, and ends nothing', () => {
    const stream = new PassThrough() as unknown as NodeJS.WriteStream;
    const called: string[] = [];
    for (const name of ['first', 'second']) whenClosed(stream, () => void called.push(name));
    stream.emit('error', errorOf('EPIPE'));
    expect(called).toEqual(['second']);
    expect(stream.listenerCount('error')).toBe(1);
  });

  it('leaves other errors as they are', () => {
    const stream = new PassThrough() as unknown as NodeJS.WriteStream;
    whenClosed(stream, () => {});
    expect(() => stream.emit('error', errorOf('ENOSPC'))).toThrow('ENOSPC');
  });
});
