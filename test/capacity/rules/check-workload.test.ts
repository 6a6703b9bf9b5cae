import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkWorkload, planWorkload, regions, type Workload } from 'sagabox/capacity';
import { limits } from '../../../lib/core/limits.ts';
import { samples } from '../../support/samples.ts';

const seed = 20260105;
const workload = { message: { sagaBytes: 1_000, outgoing: 3 }, messagesPerSecond: 200 };

function problemsOf(value: unknown) {
  const checked = checkWorkload(value);
  return 'problems' in checked ? checked.problems : [];
}

describe('the check of a workload', () => {
  it('passes what is right, as it is', () => {
    expect(checkWorkload(workload)).toEqual({ workload });
    expect(checkWorkload({ message: {}, messagesPerSecond: 0.001, region: undefined })).toHaveProperty(
      'workload',
    );
  });

  it('tells every problem, with its path', () => {
    const wrong = {
      message: { sagaBytes: '1000', outgoing: -1, layout: 'stacked', outbox: 'yes', sagaSize: 5 },
      messagesPerSecond: 0,
      peakMessagesPerSecond: Number.NaN,
      deduplicationPeriod: { day: 7 },
      targetUtilizationPercent: 95,
      batchSize: 0,
      sharedTable: 1,
      region: 'mars-north-1',
      speed: 3,
    };
    expect(problemsOf(wrong)).toEqual([
      { path: 'messagesPerSecond', problem: 'must be a number from 0.000001 to 10000000, not 0' },
      { path: 'peakMessagesPerSecond', problem: 'must be a number from 0.000001 to 10000000, not NaN' },
      {
        path: 'deduplicationPeriod',
        problem: "'day' is no unit of time (known: milliseconds, seconds, minutes, hours, days)",
      },
      { path: 'targetUtilizationPercent', problem: 'must be a number from 20 to 90, not 95' },
      { path: 'batchSize', problem: 'must be a number from 1 to 10000, not 0' },
      { path: 'sharedTable', problem: 'must be true or false, not 1' },
      {
        path: 'region',
        problem: expect.stringMatching(
          /^must be one of the 34 regions .* not 'mars-north-1': give the prices of your region .*--prices\)$/,
        ),
      },
      { path: 'message.sagaBytes', problem: "must be a whole number from 0 to 409600, not '1000'" },
      { path: 'message.outbox', problem: "must be true or false, not 'yes'" },
      { path: 'message.layout', problem: "must be one of 'records', 'embedded', not 'stacked'" },
      { path: 'message.outgoing', problem: 'must be a whole number from 0 to 10000, not -1' },
      { path: 'message.sagaSize', problem: expect.stringContaining('is not known') },
      {
        path: 'speed',
        problem: expect.stringMatching(/^is not known \(known: messagesPerSecond, .*, message, scale\)$/),
      },
    ]);
  });

  it.each([
    [null, [{ path: '', problem: 'must be an object, not null' }]],
    ['a: b', [{ path: '', problem: "must be an object, not 'a: b'" }]],
    [[], [{ path: '', problem: 'must be an object, not a list' }]],
    [
      {},
      [
        { path: 'messagesPerSecond', problem: 'is missing' },
        { path: 'message', problem: 'is missing' },
      ],
    ],
    [
      { ...workload, message: { outbox: false } },
      [
        {
          path: 'message',
          problem: 'takes no table: it has no saga (sagaBytes), and its outbox is false',
        },
      ],
    ],
    [{ ...workload, message: null }, [{ path: 'message', problem: 'must be an object, not null' }]],
    [{ ...workload, message: undefined }, [{ path: 'message', problem: 'is missing' }]],
    [{ ...workload, message: [] }, [{ path: 'message', problem: 'must be an object, not a list' }]],
    [{ ...workload, message: 3 }, [{ path: 'message', problem: 'must be an object, not 3' }]],
    [
      { ...workload, peakMessagesPerSecond: 100 },
      [{ path: 'peakMessagesPerSecond', problem: 'must be at least messagesPerSecond, 200, not 100' }],
    ],
  ])('says what is wrong with %j', (value, problems) => {
    expect(problemsOf(value)).toEqual(problems);
  });

  it.each([
    [{ appended: 98 }, undefined],
    [{ appended: 1, locking: 'pessimistic', layout: 'records', sagaChange: 'none' }, undefined],
    [{ collected: 90, sagaChange: 'complete' }, undefined],
    [{ appended: 1, sagaBytes: 0 }, 'message.appended'],
    [{ appended: 1, layout: 'embedded' }, 'message.appended'],
    [{ collected: 1, layout: 'embedded' }, 'message.collected'],
    [{ appended: 1, sagaChange: 'update' }, 'message.appended'],
    [{ appended: 1, collected: 1 }, 'message.appended'],
    [{ collected: 1, sagaChange: 'none' }, 'message.collected'],
    [{ collected: 91 }, 'message.collected'],
    [{ appended: 100 }, 'message'],
    [{ appended: 11, contributionBytes: 400_000 }, 'message'],
    [{ collected: 10, contributionBytes: 314_573 }, 'message'],
    [{ collected: 10, contributionBytes: 314_572 }, undefined],
  ])('takes appended and collected values as a run does: %j', (message, path) => {
    const problems = problemsOf({ ...workload, message: { sagaBytes: 1000, ...message } });
    expect(problems.map((problem) => problem.path)).toEqual(path === undefined ? [] : [path]);
  });

  it.each([
    ['messagesPerSecond', 1e7, 'no problem'],
    ['messagesPerSecond', 1e7 + 1, 'one problem'],
    ['messagesPerSecond', Number.POSITIVE_INFINITY, 'one problem'],
    ['messagesPerSecond', 1e-6, 'no problem'],
    ['messagesPerSecond', 0.9e-6, 'one problem'],
    ['deduplicationPeriod', { minutes: 1 }, 'no problem'],
    ['deduplicationPeriod', { seconds: 59 }, 'one problem'],
    ['deduplicationPeriod', { days: 3650 }, 'no problem'],
    ['deduplicationPeriod', { days: 3650, milliseconds: 1 }, 'one problem'],
    ['deduplicationPeriod', 7, 'one problem'],
    ['message.lockAttempts', 100, 'no problem'],
    ['message.lockAttempts', 100.5, 'one problem'],
    ['message.appended', 100.5, 'one problem'],
    ['message.contributionBytes', 0, 'one problem'],
    ['message.messageBytes', 1, 'no problem'],
    ['message.messageBytes', 0, 'one problem'],
    ['message.messageBytes', 500.5, 'one problem'],
    ['message.sagaBytes', 1000.5, 'one problem'],
    ['message.metadataBytes', 200.5, 'one problem'],
    ['message.sagaBytes', limits.sagaItemBytes, 'no problem'],
    ['message.sagaBytes', limits.itemBytes + 1, 'one problem'],
    ['message.duplicateRate', 0.999, 'no problem'],
    ['message.duplicateRate', 1, 'one problem'],
    ['message.conflictRate', 0.99, 'no problem'],
    ['message.conflictRate', 1, 'one problem'],
    ['message.compressionRatio', 0, 'one problem'],
    ['message.sagaCompressionRatio', 0, 'one problem'],
    ['message.sagaCompressionRatio', 0.01, 'no problem'],
    ['message.sagaCompressionRatio', 2.1, 'one problem'],
  ])('with %s %j finds %s', (path, value, result) => {
    const isRight = result === 'no problem';
    const [name = '', ofMessage] = path.split('.');
    const changed =
      ofMessage === undefined
        ? { ...workload, [name]: value }
        : { ...workload, message: { ...workload.message, [ofMessage]: value } };
    expect(problemsOf(changed).map((problem) => problem.path)).toEqual(isRight ? [] : [path]);
  });

  it.each([
    [{ outgoing: 10, messageBytes: 500_000 }, /exceed the 4194304 of one transaction/],
    [{ outgoing: 17, messageBytes: 1_000_000 }, /exceed the 16777216 of one transaction/],
    [{ sagaBytes: 1000, appended: 100 }, /101 writes .* exceed the 100 of one transaction/],
    [{ metadataBytes: 409_600, outgoing: 1 }, /An item of the outbox takes \d+ bytes/],
    [{ sagaBytes: 408_577 }, /A saga takes 408577 bytes/],
  ])('tells the limit that a run would meet: %j', (message, problem) => {
    expect(problemsOf({ ...workload, message })).toEqual([
      { path: 'message', problem: expect.stringMatching(problem) },
    ]);
  });

  it('takes other regions where their prices are given', () => {
    expect(regions).toContain('us-east-1');
    expect(problemsOf({ ...workload, region: 'mars-north-1' })).toHaveLength(1);
    expect(
      checkWorkload({ ...workload, region: 'mars-north-1' }, { regions: ['mars-north-1'] }),
    ).toHaveProperty('workload');
  });

  it(`refuses whatever cannot be planned, and nothing else (seed ${seed})`, () => {
    const value = fc.oneof(fc.anything(), fc.constantFrom(0, -1, Number.NaN, 1e300, '5', null));
    const anyValue = fc.oneof(
      fc.anything(),
      fc.record({ message: fc.anything(), messagesPerSecond: value }),
      fc.record(
        {
          message: fc.record({ sagaBytes: value, outgoing: value, locking: value }, { requiredKeys: [] }),
          messagesPerSecond: fc.integer({ min: 1, max: 100 }),
          batchSize: value,
        },
        { requiredKeys: ['message', 'messagesPerSecond'] },
      ),
    );
    const property = fc.property(anyValue, (one) => {
      const problems = problemsOf(one);
      const plan = () => planWorkload(one as Workload);
      if (problems.length === 0) return expect(plan).not.toThrow();
      expect(plan).toThrow(expect.objectContaining({ code: 'Configuration' }));
      for (const { problem } of problems)
        expect(plan).toThrow(expect.objectContaining({ message: expect.stringContaining(problem) }));
    });
    fc.assert(property, { seed, numRuns: samples(500) });
  });
});
