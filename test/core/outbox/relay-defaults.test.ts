import { expect, it } from '@jest/globals';
import { isRelayStrategy } from '../../../lib/core/outbox/relay-defaults.ts';

it.each([
  ['index', true],
  ['scan', true],
  ['', false],
  ['query', false],
  [undefined, false],
])('%j is a strategy of the relay: %s', (value, isStrategy) => {
  expect(isRelayStrategy(value)).toBe(isStrategy);
});
