import { describe, expect, it } from '@jest/globals';
import { type DesignName, designNames, designs } from '../../../examples/high-load/designs.ts';
import { type DesignFigures, measureDesign } from '../../../examples/high-load/measure/measure.ts';
import { runRound } from '../../../examples/high-load/measure/round.ts';
import { enginesOfTests } from '../../support/engines.ts';

const { signal } = new AbortController();

/** Designs after which no two commits meet, whatever the engine does. */
const withoutConflicts: readonly DesignName[] = [
  'locking-mode',
  'partitioned-queues',
  'fifo-groups',
  'sequential',
  'start-before-race',
  'append-only',
  'custom-store',
];

describe('the designs for high load', () => {
  it('do the same work before and after, those that promise it without conflicts', async () => {
    const run = { depth: 'short', signal, progress: () => {} } as const;
    // Each on tables and queues of its own, at the same time: their times are not looked at.
    const measured = await Promise.all(
      designNames.map(async (name) => [name, await measureDesign(enginesOfTests(), name, run)] as const),
    );
    for (const [name, { before, after }] of measured) {
      // What is in a dead-letter queue was not done: only the design against that may have some.
      const deadLettered = name === 'recoverability' ? after.deadLettered : before.deadLettered;
      expect([name, deadLettered, after.deadLettered]).toEqual([name, 0, 0]);
      expect([name, after.messages, after.wcuPerMessage > 0]).toEqual([name, before.messages, true]);
    }
    const figures = Object.fromEntries(measured) as Record<DesignName, DesignFigures>;
    expect(withoutConflicts.filter((name) => figures[name].after.conflicts > 0)).toEqual([]);
    const wcuOf = (name: DesignName) =>
      [figures[name].before, figures[name].after].map((f) => f.wcuPerMessage);
    for (const name of ['tuning-concurrency', 'small-state'] as const) {
      const [before = 0, after = 0] = wcuOf(name);
      expect([name, after < before]).toEqual([name, true]);
    }
  });

  it('fail when their work was not done', async () => {
    const lost = { ...designs['fifo-groups'], expected: () => 'something else' };
    const round = runRound(enginesOfTests(), lost, lost.after, 8, signal);
    await expect(round).rejects.toThrow('a FIFO queue, a group for each account: 40, not "something else"');
  });
});
