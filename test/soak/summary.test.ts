import { describe, expect, it } from '@jest/globals';
import { growthOf } from './checks/growth.ts';
import { heldVerdict } from './checks/judge.ts';
import type { Sample } from './fleet/worker-protocol.ts';
import type { RoundFigures } from './round.ts';
import type { SoakFigures } from './run.ts';
import { soakComplaints, summaryTable } from './summary.ts';

const sample: Sample = {
  bytes: { heapUsed: 10_000_000, external: 1_000_000, arrayBuffers: 1_000_000 },
  handles: { PipeWrap: 3 },
};

function round(samples: readonly Sample[]): RoundFigures {
  return {
    messages: 10,
    requests: 1,
    duplicates: 0,
    arrived: 5,
    arrivedAgain: 0,
    counts: {},
    maxInvocationMs: 4200,
    cutOff: [],
    seconds: 1,
    verdict: heldVerdict,
    timeline: [],
    settled: true,
    samples,
  };
}

function figures(warmSamples: readonly Sample[]): SoakFigures {
  const rounds = [round([sample]), round(warmSamples)];
  return { rounds, growth: growthOf(rounds.map(({ samples }) => samples)), workerFailures: [] };
}

describe('the summary of a soak', () => {
  it('says when there are too few samples to judge growth', () => {
    const found = summaryTable(figures(Array<Sample>(8).fill(sample)));
    expect(found).toContain('was not judged: of 9 samples after the first round there were 8');
    expect(found).not.toContain('heapUsed');
  });

  it('tells what was compared when there are enough', () => {
    const found = summaryTable(figures(Array<Sample>(9).fill(sample)));
    expect(found).toContain('the medians of 3 samples each');
    expect(found).toContain('heapUsed  10.00 MB -> 10.00 MB, at most 10.50 MB');
    expect(found).toContain('PipeWrap  3 -> 3, at most 5');
    expect(found).not.toContain('not judged');
  });

  it('tells of black holes, and of the longest invocation as a share of its time limit', () => {
    const counts = {
      'black hole of SQS': 2,
      'black hole of DynamoDB': 1,
      'silence SQS swallowed': 4,
    };
    const found = summaryTable({ ...figures([]), rounds: [{ ...round([]), counts }] });
    expect(found).toMatch(/^black holes +3\n {2}of DynamoDB +1\n {2}of SQS +2$/m);
    expect(found).toMatch(/^ {2}connections that fell silent +4\n {4}SQS swallowed +4$/m);
    expect(found).toMatch(/^invocations cut off at their time limit +0$/m);
    expect(found).toMatch(/^longest invocation, of its time limit +42 %$/m);
  });

  it('complains about growth, about rounds and about workers', () => {
    const grown: Sample = { ...sample, handles: { PipeWrap: 6 } };
    const samples = [...Array<Sample>(6).fill(sample), ...Array<Sample>(3).fill(grown)];
    const { rounds, growth } = figures(samples);
    const stuck = { ...round([]), settled: false, cutOff: ['a', 'b', 'c', 'd'] };
    expect(soakComplaints(figures([]))).toEqual([]);
    expect(
      soakComplaints({
        rounds: [...rounds, stuck],
        growth,
        workerFailures: ['a worker could not pause: no'],
      }),
    ).toEqual([
      'round 3 stood still with messages left',
      'round 3: cut off at the time limit: a; b; c; and 1 more',
      'handles of type PipeWrap grew from 3 to 6',
      'a worker could not pause: no',
    ]);
  });
});
