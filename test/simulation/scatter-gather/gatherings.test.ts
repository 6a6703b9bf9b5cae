import { expect, it } from '@jest/globals';
import { samples } from '../../support/samples.ts';
import { checkGathering } from './check-gathering.ts';

/** More with `SAGABOX_GATHERINGS=10000 npm test -- test/simulation/scatter-gather`. */
const RUNS = Number(process.env.SAGABOX_GATHERINGS ?? samples(40));
const TIMEOUT_MS = 600_000;

it(
  'a scatter-gather ends with one result, which has each request once: as answered, or as missing',
  async () => {
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const { outcome, problems } = await checkGathering(seed);
      expect({ seed, problems }).toEqual({ seed, problems: [] });
      outcomes.add(outcome);
    }
    expect([...outcomes].sort()).toEqual(['cancelled', 'complete', 'timedOut']);
  },
  TIMEOUT_MS,
);
