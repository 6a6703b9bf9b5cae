import { expect, it, jest } from '@jest/globals';

/** The test of a file that changes what all files share, and finds nothing that another one has changed. */
export function leavesNothing(): void {
  const timeout = Symbol.for('TEST_TIMEOUT_SYMBOL');
  const handlers = Symbol.for('EVENT_HANDLERS');

  it('finds nothing of another file', () => {
    expect(process.env).not.toHaveProperty('LEFT_BEHIND');
    expect(process.env).toHaveProperty('PATH');
    expect(Reflect.get(globalThis, timeout)).toBeUndefined();
    // Those of the framework, of this environment and of Jest's report.
    expect(Reflect.get(globalThis, handlers).length).toBeLessThan(10);
    expect(Date.now()).toBeGreaterThan(0);
    expect(process.listenerCount('SIGHUP')).toBe(0);

    process.env.LEFT_BEHIND = 'yes';
    delete process.env.PATH;
    process.once('SIGHUP', () => {});
    jest.setTimeout(60_000);
    jest.useFakeTimers({ now: 0 });
  });
}
