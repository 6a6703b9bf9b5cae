import { expect, it } from '@jest/globals';
import { untilPlannedSizes } from '../../../lib/cli/measure/delivery.ts';

it.each([
  [1_767_225_600_000, 2000],
  [1_767_225_598_999, 0],
  [1_767_225_599_000, 3000],
  [1_767_225_601_999, 1],
  [1_767_225_602_000, 0],
  [1_767_225_650_000, 0],
])('at %i a message waits for %i ms for a second that does not end with zeros', (nowMs, waits) => {
  expect(untilPlannedSizes(nowMs)).toBe(waits);
});
