import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Complaint, concludeMeasured } from './conclude-measured.ts';
import { leastShare, MachineControl } from './machine-control.ts';
import { processorShare } from './processor-share.ts';

/** Of controls that find these shares, one after another. */
function controlOf(...shares: number[]) {
  const clock = { ms: 0 };
  const control = new MachineControl(
    async () => shares.shift() ?? Number.NaN,
    () => clock.ms,
  );
  return { control, clock, shares };
}

describe('the control of a measurement', () => {
  it.each([
    [[leastShare, leastShare], 'an idle one'],
    [[leastShare - 0.01, leastShare - 0.01], 'a busy one'],
    [[1, leastShare - 0.01], 'an idle one'],
    [[1, 0], 'a busy one'],
  ])('takes a machine that leaves %j of its processors for %s', async (shares, kind) => {
    const isBusy = kind === 'a busy one';
    const { control } = controlOf(...shares);
    expect(await control.during('growth', async () => 'measured')).toBe('measured');
    expect(control.isBusy('growth')).toBe(isBusy);
  });

  it.each([
    [[1, 0.1, 1], false],
    [[1, 0.1, 0.1], true],
  ])('goes by what most of %j are', async (shares, isBusy) => {
    const { control, clock } = controlOf(...shares);
    await control.during('growth', async () => {
      clock.ms = 5_000;
      await control.betweenRuns();
    });
    expect(control.isBusy('growth')).toBe(isBusy);
  });

  it('is made between runs each five seconds, and no sooner', async () => {
    const { control, clock, shares } = controlOf(1, 1, 1, 1);
    await control.during('growth', async () => {
      clock.ms = 4_999;
      await control.betweenRuns();
      expect(shares).toHaveLength(3);
      clock.ms = 5_000;
      await control.betweenRuns();
      await control.betweenRuns();
      expect(shares).toHaveLength(2);
    });
  });

  it('tells the parts apart, and nothing of what was not measured', async () => {
    const { control } = controlOf(1, 1, 0.1, 0.1);
    await control.during('growth', async () => {});
    await control.during('contention', async () => {});
    expect(['growth', 'contention', 'cost'].map((part) => control.isBusy(part))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('measures a share of the processors', async () => {
    const share = await processorShare();
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1.1);
  });
});

describe('the end of a run that measured times', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const [exact, slow, slower]: [Complaint, Complaint, Complaint] = [
    { text: 'one is lost', timedPart: undefined },
    { text: 'it is slow', timedPart: 'growth' },
    { text: 'it is slower', timedPart: 'contention' },
  ];

  it.each<[string, string[], Complaint[], number, string]>([
    ['no complaint', ['growth'], [], 0, 'OK'],
    ['a time', [], [slow], 1, 'FAILED it is slow'],
    ['a time of a busy machine', ['growth'], [slow], 3, 'MACHINE BUSY it is slow'],
    ['a time of a part that had an idle one', ['contention'], [slow], 1, 'FAILED it is slow'],
    ['a loss on a busy machine', ['growth'], [exact, slow], 1, 'FAILED one is lost; it is slow'],
    ['times of both', ['growth'], [slow, slower], 1, 'FAILED it is slow; it is slower'],
  ])('with %s', (_what, busy, complaints, exitCode, told) => {
    const print = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(concludeMeasured(complaints, { isBusy: (part) => busy.includes(part) })).toBe(exitCode);
    const written = print.mock.calls.map(([text]) => `${text}`).join('');
    expect(written).toContain(told);
  });
});
