import fc from 'fast-check';
import type { Fate } from './fates.ts';
import { MAX_CALLS_BEFORE, proceedBy, proceedToPort } from './proceed.ts';
import { type End, meet, named } from './rare-steps.ts';
import { Step } from './step.ts';

const worker = fc.nat(2);

/** What the commit meets; before its answer is received it may be visible in part. */
const endsOfCommit = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom<Fate[]>('slow', 'slow', 'lost', 'lostThrottled')
      .map((fate): End => ({ fate })),
  },
  { weight: 1, arbitrary: fc.constant<End>({ death: 'applied' }) },
);

/** Another worker takes messages beside a commit, before or after its message is delivered again. */
export const besideCommit = fc
  .tuple(
    worker,
    endsOfCommit,
    fc.constantFrom(...(['before', 'after', 'not'] as const)),
    fc.nat(5),
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([worker, end, redelivered, choice, calls]) => {
    const what = end === undefined ? 'waits' : named(end);
    const name = `besideCommit(${worker}, ${what}, redelivered ${redelivered}, ${choice}, ${calls} calls)`;
    return new Step(name, async (simulation) => {
      if ((await proceedToPort(simulation, worker, 'commit')) === undefined) return false;
      if (end) await meet(simulation, worker, 'commit', end);
      simulation.world.assertHolds();
      if (redelivered === 'before') simulation.redeliver(choice);
      const goesOn = await proceedBy(simulation, worker + 1, choice, calls);
      if (redelivered !== 'after' || !simulation.redeliver(choice)) return goesOn;
      return await proceedBy(simulation, worker + 2, choice, calls);
    });
  });

/** A handler only looks at its saga, which another message ends meanwhile; then it is delivered again. */
export const lookBesideEnd = fc.tuple(worker, fc.nat(5), fc.integer({ min: 1, max: 6 })).map(
  ([worker, choice, calls]) =>
    new Step(`lookBesideEnd(${worker}, ${choice}, ${calls} calls)`, async (simulation) => {
      const { queue } = simulation.world;
      queue.prefer('Start');
      await proceedBy(simulation, worker, 0, MAX_CALLS_BEFORE);
      queue.prefer('Look');
      if ((await proceedToPort(simulation, worker, 'commit')) === undefined) return false;
      queue.prefer('Finish');
      await proceedBy(simulation, worker + 1, 0, MAX_CALLS_BEFORE);
      simulation.redeliver(choice);
      return await proceedBy(simulation, worker + 1, choice, calls);
    }),
);
