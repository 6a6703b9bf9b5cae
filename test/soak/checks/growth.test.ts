import { describe, expect, it } from '@jest/globals';
import { openFiles } from '../fleet/sample.ts';
import type { Sample } from '../fleet/worker-protocol.ts';
import { growthComplaints, growthOf, limits, minWarmSamples } from './growth.ts';

const heap = 20_000_000;

function sample(heapUsed: number, handles: Record<string, number> = { PipeWrap: 3 }): Sample {
  return { bytes: { heapUsed, external: 3_000_000, arrayBuffers: 1_000_000 }, handles };
}

/** The first round does not count. */
function afterFirstRound(samples: readonly Sample[]): Sample[][] {
  return [[sample(1)], [...samples]];
}

/** So few that they can just be judged. */
function samplesThatChange(first: Sample, last: Sample): Sample[][] {
  const third = minWarmSamples / 3;
  return afterFirstRound([first, first, last].flatMap((each) => Array<Sample>(third).fill(each)));
}

function complaintsOf(samples: readonly (readonly Sample[])[]): string[] | undefined {
  const growth = growthOf(samples);
  return growth && growthComplaints(growth);
}

describe('the check of memory and handles', () => {
  const most = heap * (1 + limits.heapShare);

  it.each([
    [most, 'did not grow'],
    [most + 1, 'grew'],
  ])('says that a heap of 20 MB that comes to %i bytes %s', (last, said) => {
    const grew = said === 'grew';
    expect(growthOf(samplesThatChange(sample(heap), sample(last)))?.bytes.heapUsed.grew).toBe(grew);
  });

  it.each([
    ['external', limits.bufferBytes, []],
    ['external', limits.bufferBytes + 1, ['external grew from 3000000 to 4000001 bytes']],
    ['arrayBuffers', limits.bufferBytes, []],
    ['arrayBuffers', limits.bufferBytes + 1, ['arrayBuffers grew from 1000000 to 2000001 bytes']],
  ] as const)(
    '%s memory of %i bytes more than before is complained about as %j',
    (memory, more, expected) => {
      const before = sample(heap);
      const after = { ...before, bytes: { ...before.bytes, [memory]: before.bytes[memory] + more } };
      expect(complaintsOf(samplesThatChange(before, after))).toEqual(expected);
    },
  );

  it.each([
    ['Timeout', limits.handles, []],
    ['Timeout', limits.handles + 1, ['handles of type Timeout grew from 0 to 3']],
    [openFiles, limits.openFiles, []],
    [openFiles, limits.openFiles + 1, ['handles of type open files grew from 0 to 21']],
  ])('of the type %s, %i more than before are complained about as %j', (type, more, expected) => {
    const after = sample(heap, { PipeWrap: 3, [type]: more });
    expect(complaintsOf(samplesThatChange(sample(heap), after))).toEqual(expected);
  });

  it('finds a leak of 2 % in each round', () => {
    const growing = Array.from({ length: 10 }, (_, round) => [sample(heap * 1.02 ** round)]);
    expect(complaintsOf(growing)).toEqual([expect.stringContaining('heapUsed grew')]);
  });

  it.each([1, 2, 3])('with %i of the last three samples far too high, says so when they are most', (high) => {
    const samples = Array.from({ length: 9 }, (_, place) => sample(place >= 9 - high ? 2 * heap : heap));
    expect(growthOf(afterFirstRound(samples))?.bytes.heapUsed.grew).toBe(high > 1);
  });

  it.each([
    [8, undefined],
    [9, 3],
    [11, 3],
    [12, 4],
  ])('compares thirds of %i samples after the first round: %s each', (count, each) => {
    const samples = Array<Sample>(count).fill(sample(heap));
    expect(growthOf(afterFirstRound(samples))?.samples).toBe(each);
    expect(growthOf([samples])).toBeUndefined();
  });
});
