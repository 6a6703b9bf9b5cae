import { expect, it } from '@jest/globals';
import { isRecoveryStrategy } from '../../../lib/core/outbox/recovery-defaults.ts';

it.each([
  ['index', true],
  ['scan', true],
  ['', false],
  ['query', false],
  [undefined, false],
])('%j is a strategy of the recovery: %s', (value, isStrategy) => {
  expect(isRecoveryStrategy(value)).toBe(isStrategy);
});
