import { expect, it } from '@jest/globals';
import { checkSessions } from './check-sessions.ts';

it('simulated sessions break nothing, and meet every end of every call', async () => {
  const { failure, counts } = await checkSessions(1, 300);
  expect(failure).toBeUndefined();
  for (const port of ['find', 'lease', 'commit', 'dispatch', 'mark'])
    for (const fate of ['answered', 'lost', 'refused', 'late', 'crash'])
      expect([port, fate, counts.get(`${port} ${fate}`)]).toEqual([port, fate, expect.any(Number)]);
});
