import { expect, it } from '@jest/globals';
import { paintFor } from '../../../lib/cli/plan/paint.ts';

it.each([
  [{ isTTY: true }, { TERM: 'xterm' }, '\u001b[32m##\u001b[39m'],
  [{ isTTY: true }, { NO_COLOR: '' }, '\u001b[32m##\u001b[39m'],
  [{ isTTY: true }, { NO_COLOR: '1' }, '##'],
  [{ isTTY: true }, { TERM: 'dumb' }, '##'],
  [{}, {}, '##'],
])('colours are for terminals that want them: %j, %j', (stream, environment, painted) => {
  expect(paintFor(stream, environment)('green', '##')).toBe(painted);
});
