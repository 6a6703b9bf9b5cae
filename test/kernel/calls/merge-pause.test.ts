import { describe, expect, it } from '@jest/globals';
import { MergePause } from '../../../lib/kernel/calls/merge-pause.ts';

/** How many commits go alone before one is shared again. */
function lengthOf(pause: MergePause): number {
  let commits = 0;
  while (pause.takesOne()) commits += 1;
  return commits;
}

describe('a pause of merging', () => {
  it('does not begin before a refusal', () => {
    const pause = new MergePause();
    pause.succeeded();
    expect(lengthOf(pause)).toBe(0);
  });

  it('takes four commits for each one that was refused, and ends', () => {
    const pause = new MergePause();
    pause.refused(10);
    expect(lengthOf(pause)).toBe(40);
    expect(pause.takesOne()).toBe(false);
  });

  it('is twice as long after each refusal in a row, up to 64 commits for each one', () => {
    const pause = new MergePause();
    const lengths = Array.from({ length: 6 }, () => {
      pause.refused(10);
      return lengthOf(pause);
    });
    expect(lengths).toEqual([40, 80, 160, 320, 640, 640]);
  });

  it('is half as long after each success in between, down to the first length', () => {
    const pause = new MergePause();
    for (let time = 0; time < 3; time += 1) pause.refused(10);
    lengthOf(pause);
    pause.succeeded();
    pause.refused(10);
    expect(lengthOf(pause)).toBe(160);
    for (let time = 0; time < 9; time += 1) pause.succeeded();
    pause.refused(10);
    expect(lengthOf(pause)).toBe(40);
  });

  it('is the longest of those that transactions side by side ask for', () => {
    const pause = new MergePause();
    pause.refused(10);
    pause.refused(2);
    expect(lengthOf(pause)).toBe(40);
  });
});
