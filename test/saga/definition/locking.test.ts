import { describe, expect, it } from '@jest/globals';
import { cosmosLocking, createHandler, type Duration, type Locking, SagaboxError, sagaOutbox } from 'sagabox';
import { lockingSettings, type PessimisticLocking } from '../../../lib/saga/definition/locking.ts';
import { placedSaga as saga } from '../../support/order-sagas.ts';

/** The fact that a handler with such settings is refused with; nothing when it is made. */
function refusal(locking: unknown): Record<string, unknown> | undefined {
  try {
    createHandler(saga, { locking: locking as Locking });
    return undefined;
  } catch (error) {
    if (error instanceof SagaboxError && error.code === 'Configuration') return error.facts;
    throw error;
  }
}

describe('the settings of a concurrency mode', () => {
  const pessimistic = {
    mode: 'pessimistic',
    leaseDurationMs: 30_000,
    leaseAcquisitionTimeoutMs: 10_000,
    minRefreshDelayMs: 100,
    maxRefreshDelayMs: 300,
    renew: false,
  };
  const cosmos = {
    ...pessimistic,
    leaseDurationMs: 60_000,
    leaseAcquisitionTimeoutMs: 60_000,
    minRefreshDelayMs: 500,
    maxRefreshDelayMs: 1000,
  };

  it.each<[string, Locking | undefined, object]>([
    ['none are given', undefined, { mode: 'optimistic', consistentRead: true }],
    ['the mode is optimistic', { mode: 'optimistic' }, { mode: 'optimistic', consistentRead: true }],
    [
      'reads may be old',
      { mode: 'optimistic', consistentRead: false },
      { mode: 'optimistic', consistentRead: false },
    ],
    ['the mode is pessimistic', { mode: 'pessimistic' }, pessimistic],
    ['the preset is used', cosmosLocking, cosmos],
  ])('have their defaults when %s', (_case, locking, settings) => {
    expect(lockingSettings(locking)).toEqual(settings);
  });

  it.each([
    ['leaseDuration', { milliseconds: 1 }],
    ['leaseAcquisitionTimeout', { milliseconds: 1 }],
    ['minRefreshDelay', { milliseconds: 1 }],
    ['minRefreshDelay', { milliseconds: 300 }],
    ['maxRefreshDelay', { milliseconds: 100 }],
    ['leaseDuration', { hours: 1, minutes: 1, seconds: 1 }],
  ] as [string, Duration][])('take %s of %j', (setting, duration) => {
    expect(refusal({ mode: 'pessimistic', [setting]: duration })).toBeUndefined();
  });

  const notPositive: [unknown, string][] = [
    [{ seconds: 0 }, '{"seconds":0} is not a positive duration'],
    [{}, 'it names no number of a unit, as { minutes: 5 } does'],
    [{ seconds: -1 }, '{"seconds":-1} is not a positive duration'],
    [{ seconds: 1, milliseconds: -1000 }, '{"seconds":1,"milliseconds":-1000} is not a positive duration'],
    [{ seconds: Number.NaN }, 'its seconds are NaN, not a finite number'],
    [{ seconds: Number.POSITIVE_INFINITY }, 'its seconds are Infinity, not a finite number'],
    [{ secs: 30 }, "'secs' is no unit of time (known: milliseconds, seconds, minutes, hours, days)"],
    [30, '30 is no duration such as { minutes: 5 }'],
    ['30 s', '"30 s" is no duration such as { minutes: 5 }'],
    [null, 'null is no duration such as { minutes: 5 }'],
  ];
  const durations = ['leaseDuration', 'leaseAcquisitionTimeout', 'minRefreshDelay', 'maxRefreshDelay'];
  it.each(durations.flatMap((setting) => notPositive.map((value) => [setting, ...value] as const)))(
    'refuse %s of %j when the handler is made',
    (setting, value, problem) => {
      const facts = refusal({ mode: 'pessimistic', [setting]: value });
      expect(facts).toEqual({
        setting: `locking.${setting}`,
        problem,
        remedy: 'Use one over 0, such as { seconds: 30 }',
      });
    },
  );

  it.each([
    [100, 100, 'taken'],
    [100, 101, 'taken'],
    [101, 100, 'refused'],
  ])('with delays from %i to %i ms are %s', (min, max, result) => {
    const taken = result === 'taken';
    const facts = refusal({
      mode: 'pessimistic',
      minRefreshDelay: { milliseconds: min },
      maxRefreshDelay: { milliseconds: max },
    });
    if (taken) expect(facts).toBeUndefined();
    else
      expect(facts).toEqual({
        setting: 'locking.minRefreshDelay',
        problem: '101 ms is over the maxRefreshDelay of 100 ms',
        remedy: 'Lower minRefreshDelay or raise maxRefreshDelay',
      });
  });

  it.each([
    ['a minimum over the default maximum', { minRefreshDelay: { milliseconds: 301 } }],
    ['a maximum under the default minimum', { maxRefreshDelay: { milliseconds: 99 } }],
  ])('refuse %s', (_case, delays) => {
    expect(refusal({ mode: 'pessimistic', ...delays })?.setting).toBe('locking.minRefreshDelay');
  });

  it.each([true, false])('refuse consistentRead %s in pessimistic mode', (consistentRead) => {
    // @ts-expect-error it cannot be written
    const locking: PessimisticLocking = { mode: 'pessimistic', consistentRead };
    expect(refusal(locking)?.setting).toBe('locking.consistentRead');
  });

  it.each([
    ['optimistic', 'leaseDuration', { seconds: 5 }],
    ['optimistic', 'renew', true],
    ['pessimistic', 'leaseDurationMs', 5000],
  ])('of the %s mode refuse %s, which it does not know', (mode, name, value) => {
    expect(refusal({ mode, [name]: value })).toEqual({
      setting: `locking.${name}`,
      problem: `the ${mode} mode has no such setting`,
      remedy: 'Leave it out, or use the other mode',
    });
  });

  it.each([
    ['optimistic', 'consistentRead', 'false'],
    ['pessimistic', 'renew', 'no'],
  ])('of the %s mode refuse %s of %j', (mode, name, value) => {
    expect(refusal({ mode, [name]: value })).toEqual({
      setting: `locking.${name}`,
      problem: `"${value}" is not true or false`,
      remedy: 'Use true or false',
    });
  });

  it.each(['Pessimistic', '', undefined, 'none'])('refuse the mode %j', (mode) => {
    expect(refusal({ mode })).toEqual({
      setting: 'locking.mode',
      problem: `${JSON.stringify(mode)} is no mode`,
      remedy: "Use 'optimistic' or 'pessimistic'",
    });
  });

  it('are checked by the middleware of one message too, when it is made', () => {
    const locking: Locking = { mode: 'pessimistic', leaseDuration: { seconds: 0 } };
    expect(() => sagaOutbox({ saga, locking })).toThrow('leaseDuration');
  });
});
