import { describe, expect, it } from '@jest/globals';
import { modes } from '../subject/modes.ts';
import { missingCoverage } from './coverage.ts';

const counts = {
  ...Object.fromEntries(Array.from({ length: 6 }, (_, kind) => [`fault DynamoDB ${kind}`, 1])),
  ...Object.fromEntries(Array.from({ length: 4 }, (_, kind) => [`fault SQS ${kind}`, 1])),
  deaths: 1,
  'relay runs': 1,
  'batches of the stream': 1,
  ...Object.fromEntries(modes.map((mode) => [`mode ${mode}`, 1])),
  'outbox records': 1,
  'outbox embedded': 1,
  'outbox both': 1,
  ...Object.fromEntries(Array.from({ length: 6 }, (_, form) => [`change ${form}`, 1])),
  'deliveries repeated by SQS': 1,
  'outcome duplicate': 1,
  'answered Request': 1,
  'answered ExclusiveRequest': 1,
  'answered MixedRequest': 1,
  'session duplicate': 1,
  'black hole of SQS': 1,
  'silence SQS swallowed': 1,
};

describe('what a round has to meet', () => {
  it('may be met just so', () => {
    expect(missingCoverage(counts)).toEqual([]);
  });

  it('is met by a relay that met faults, too', () => {
    const { 'relay runs': runs, ...others } = counts;
    expect(missingCoverage({ ...others, 'relay runs that failed': runs })).toEqual([]);
  });

  it.each(Object.keys(counts))('is named when it is missing: %s', (name) => {
    const others = Object.entries(counts).filter(([other]) => other !== name);
    expect(missingCoverage(Object.fromEntries(others))).toEqual([
      expect.stringMatching(/: \d, not \d at least$/),
    ]);
  });
});
