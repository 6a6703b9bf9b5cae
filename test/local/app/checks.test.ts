import { describe, expect, it } from '@jest/globals';
import { assertLocalAppOptions, assertSeconds } from '../../../lib/local/app/checks.ts';
import { startLocalApp } from '../../../lib/local/app/start.ts';
import type { FaultRule } from '../../../lib/local/proxy/faults.ts';

const fault = { name: 'f', matches: () => true, kill: 'beforeCall', atCalls: [1] } as const;
const refusal = (message: string) =>
  expect.objectContaining({ code: 'Configuration', message: expect.stringContaining(message) });
const check = (options: unknown): void => assertLocalAppOptions(options as { assemblyDirectory: string });
const inFolder = (options: object): void => check({ assemblyDirectory: 'cdk.out', ...options });

describe('the options of a local app', () => {
  it.each([
    {},
    { port: undefined, faults: undefined },
    { port: 0, timeScale: 0.5, maxConcurrency: 1, redeliverAcknowledged: true, faults: [] },
    { port: 65_535, timeScale: 1e6, onOutput: () => undefined, faults: [fault] },
  ])('can be %j', (options) => {
    expect(() => inFolder(options)).not.toThrow();
  });

  it.each([
    [{ timescale: 60 }, "timescale: there is no such setting (did you mean 'timeScale'?)"],
    [{ timeScale: 0 }, 'timeScale: 0 is not a number above 0'],
    [{ timeScale: Number.NaN }, 'timeScale: NaN is not'],
    [{ timeScale: Number.POSITIVE_INFINITY }, 'timeScale: Infinity is not'],
    [{ timeScale: '60' }, 'timeScale: "60" is not'],
    [{ port: -1 }, 'port: -1 is not a port from 0 to 65535'],
    [{ port: 65_536 }, 'port: 65536 is not'],
    [{ port: 80.5 }, 'port: 80.5 is not'],
    [{ maxConcurrency: 0 }, 'maxConcurrency: 0 is not a whole number from 1'],
    [{ redeliverAcknowledged: 1 }, 'redeliverAcknowledged: 1 is not true or false'],
    [{ onCall: 'log' }, 'onCall: "log" is not a function'],
    [{ faults: fault }, 'is not an array of { name, matches, kill, atCalls }'],
    [{ faults: [{ ...fault, kill: 'before' as FaultRule['kill'] }] }, 'is not an array of'],
    [{ faults: [{ ...fault, atCalls: [0] }] }, 'is not an array of'],
    [{ faults: [undefined] }, 'is not an array of'],
    [{ assemblyDirectory: '' }, 'assemblyDirectory: "" is not a non-empty string'],
    [{ assemblyDirectory: undefined }, 'assemblyDirectory: it is missing'],
  ])('cannot be %j', (options, message) => {
    expect(() => inFolder(options)).toThrow(refusal(message));
  });

  it('are an object, and are checked before anything starts', async () => {
    expect(() => check('cdk.out')).toThrow(
      refusal('"cdk.out" is not an object. Use one. See docs/guide/local.md'),
    );
    await expect(startLocalApp({ assemblyDirectory: 'nowhere', port: -1 })).rejects.toEqual(refusal('port'));
  });
});

describe('seconds to jump ahead', () => {
  it.each([0, 0.5, 7200])('can be %p', (seconds) => {
    expect(() => assertSeconds('advanceQueueClock', seconds)).not.toThrow();
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '60', undefined])('cannot be %p', (seconds) => {
    expect(() => assertSeconds('advanceQueueClock', seconds)).toThrow(refusal(`advanceQueueClock: `));
  });
});
