import { describe, expect, it } from '@jest/globals';
import { cosmosLocking, type Locking } from 'sagabox';
import { lockingOf } from '../../lib/compose/settings.ts';

const deployed = (mode: string | undefined) => ({ SAGABOX_LOCKING: mode });
const settingsOf = (locking: Locking | undefined, environment = {}) =>
  lockingOf(locking ? { locking } : {}, environment);

describe('how handlers of one saga are kept apart', () => {
  it.each([
    [undefined, undefined, 'optimistic'],
    [undefined, '', 'optimistic'],
    [undefined, 'optimistic', 'optimistic'],
    [undefined, 'pessimistic', 'pessimistic'],
    ['optimistic', 'pessimistic', 'optimistic'],
    ['pessimistic', 'optimistic', 'pessimistic'],
    ['pessimistic', undefined, 'pessimistic'],
  ] as const)('with the option %s, deployed as %s, is %s', (mode, variable, expected) => {
    expect(settingsOf(mode && { mode }, deployed(variable)).mode).toBe(expected);
  });

  it('follows the settings of the option', () => {
    expect(settingsOf(cosmosLocking, deployed('pessimistic'))).toMatchObject({ leaseDurationMs: 60_000 });
    const eventual = settingsOf({ mode: 'optimistic', consistentRead: false }, deployed('optimistic'));
    expect(eventual).toMatchObject({ consistentRead: false });
  });

  it('is refused when the variable holds no mode', () => {
    expect(() => settingsOf(undefined, deployed('cautious'))).toThrow(/"cautious" is no mode/);
  });
});
