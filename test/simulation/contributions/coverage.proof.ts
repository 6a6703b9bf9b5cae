import { expect, it } from '@jest/globals';
import { checkPolls } from './check-polls.ts';

const SEED = 12;
const RUNS = 100;

it('simulated contributions break nothing, and meet every end of every call', async () => {
  const { failure, counts } = await checkPolls(SEED, RUNS);
  expect(failure).toBeUndefined();
  for (const port of ['find', 'load', 'acquire', 'pause', 'collect', 'commit'])
    for (const fate of ['answered', 'lost', 'refused', 'crash'])
      expect([port, fate, counts.get(`${port} ${fate}`)]).toEqual([port, fate, expect.any(Number)]);
  expect(counts.get('dispatch answered')).toBeGreaterThan(0);
  expect(counts.get('lives at rest')).toBeGreaterThan(RUNS / 3);
});
