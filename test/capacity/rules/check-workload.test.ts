import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkWorkload, planWorkload, regions, type Workload } from 'sagabox/capacity';
import { limits } from '../../../lib/kernel/limits.ts';
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
    const remedies = {
      rate: 'Use a value from 0.000001 to 10000000',
      unknown: 'Rename it, or leave it out',
      flag: 'Use true or false',
    };
    expect(problemsOf(wrong)).toEqual([
      {
        at: 'message.sagaBytes',
        problem: '"1000" is not a number',
        remedy: 'Use a whole number from 0 to 409600',
      },
      { at: 'message.outgoing', problem: '-1 is out of range', remedy: 'Use a whole number from 0 to 10000' },
      {
        at: 'message.layout',
        problem: '"stacked" is not known',
        remedy: "Use 'records' or 'embedded'",
      },
      { at: 'message.outbox', problem: '"yes" is not true or false', remedy: remedies.flag },
      {
        at: 'message.sagaSize',
        problem: 'there is no such setting',
        remedy: remedies.unknown,
      },
      { at: 'messagesPerSecond', problem: '0 is out of range', remedy: remedies.rate },
      { at: 'peakMessagesPerSecond', problem: 'NaN is out of range', remedy: remedies.rate },
      {
        at: 'deduplicationPeriod',
        problem: "'day' is no unit of time (known: milliseconds, seconds, minutes, hours, days)",
        remedy: 'Use one',
      },
      { at: 'targetUtilizationPercent', problem: '95 is out of range', remedy: 'Use a value from 20 to 90' },
      { at: 'batchSize', problem: '0 is out of range', remedy: 'Use a value from 1 to 10000' },
      { at: 'sharedTable', problem: '1 is not true or false', remedy: remedies.flag },
      {
        at: 'region',
        problem: '"mars-north-1" is not known',
        remedy: expect.stringMatching(
          /^Use one of the 34 regions .* or give the prices of your region .*--prices\)$/,
        ),
      },
      { at: 'speed', problem: 'there is no such setting', remedy: remedies.unknown },
    ]);
  });

  it.each([
    [null, [['', 'null is not an object']]],
    ['a: b', [['', '"a: b" is not an object']]],
    [[], [['', '[] is not an object']]],
    [
      {},
      [
        ['message', 'it is missing'],
        ['messagesPerSecond', 'it is missing'],
      ],
    ],
    [
      { ...workload, message: { outbox: false } },
      [['message', 'it takes no table: it has no saga, and its outbox is false']],
    ],
    [{ ...workload, message: null }, [['message', 'null is not an object']]],
    [{ ...workload, message: undefined }, [['message', 'it is missing']]],
    [{ ...workload, message: [] }, [['message', '[] is not an object']]],
    [{ ...workload, message: 3 }, [['message', '3 is not an object']]],
    [
      { ...workload, peakMessagesPerSecond: 100 },
      [['peakMessagesPerSecond', '100 is less than messagesPerSecond, 200']],
    ],
  ])('says what is wrong with %j', (value, problems) => {
    expect(problemsOf(value).map(({ at, problem }) => [at, problem])).toEqual(problems);
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
    expect(problems.map((problem) => problem.at)).toEqual(path === undefined ? [] : [path]);
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
    expect(problemsOf(changed).map((problem) => problem.at)).toEqual(isRight ? [] : [path]);
  });

  it.each([
    [{ outgoing: 10, messageBytes: 500_000 }, /exceed the 4194304 of one transaction/],
    [{ outgoing: 17, messageBytes: 1_000_000 }, /exceed the 16777216 of one transaction/],
    [{ sagaBytes: 1000, appended: 100 }, /101 writes .* exceed the 100 of one transaction/],
    [{ metadataBytes: 409_600, outgoing: 1 }, /An item of the outbox takes \d+ bytes/],
    [{ sagaBytes: 408_577 }, /A saga takes 408577 bytes/],
  ])('tells the limit that a run would meet: %j', (message, problem) => {
    expect(problemsOf({ ...workload, message })).toEqual([
      { at: 'message', problem: expect.stringMatching(problem), remedy: 'Plan smaller messages, or fewer' },
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
