import fc from 'fast-check';
import { RELAY_LEASE_MS } from './instance.ts';
import { dispatchPorts, MAX_CALLS_BEFORE, proceedBy, proceedToPort } from './proceed.ts';
import { DEDUPLICATION_MS } from './scenario.ts';
import { Step } from './step.ts';

const MINUTE_MS = 60_000;

const worker = fc.nat(2);
const choice = fc.nat(5);

/** So much time that nothing is under way any more, up to more than the deduplication period. */
const waitLong = fc
  .constantFrom(40 * MINUTE_MS, DEDUPLICATION_MS / 2, DEDUPLICATION_MS, DEDUPLICATION_MS + 5_000)
  .map(
    (durationMs) =>
      new Step(`waitLong(${durationMs} ms)`, async (simulation) => {
        await simulation.waitLong(durationMs);
        return true;
      }),
  );

/** A message comes again as late as it can. */
const lastCopy = fc
  .tuple(worker, choice, fc.constantFrom(1_000, 1_000, 5 * MINUTE_MS), fc.integer({ min: 0, max: 8 }))
  .map(
    ([worker, choice, beforeMs, calls]) =>
      new Step(`lastCopy(${worker}, ${choice}, ${beforeMs} ms, ${calls} calls)`, async (simulation) => {
        if (!(await simulation.duplicateLast(choice, beforeMs))) return false;
        return await proceedBy(simulation, worker, 0, calls);
      }),
  );

/** The time to live deletes an item that has expired, beside whatever goes on. */
const deleteExpired = choice.map(
  (choice) => new Step(`deleteExpired(${choice})`, async (simulation) => simulation.deleteExpired(choice)),
);

/** Two workers begin on an item that has expired, of which one has read it before it is deleted. */
const commitBesideDeletion = fc.tuple(worker, choice, fc.integer({ min: 4, max: MAX_CALLS_BEFORE })).map(
  ([worker, choice, calls]) =>
    new Step(`commitBesideDeletion(${worker}, ${choice}, ${calls} calls)`, async (simulation) => {
      const { queue } = simulation.world;
      if (!simulation.hasTombstone) return false;
      await simulation.waitLong(DEDUPLICATION_MS);
      queue.prefer('Start');
      if ((await proceedToPort(simulation, worker, 'commit')) === undefined) return false;
      if (!simulation.deleteExpired(choice)) return false;
      return await proceedBy(simulation, worker + 1, 0, calls);
    }),
);

/** What an ended saga left is dispatched by two relays, one after the lease of the other, so late that its item is deleted behind the first mark. */
const marksBesideDeletion = fc.tuple(worker, choice).map(
  ([worker, choice]) =>
    new Step(`marksBesideDeletion(${worker}, ${choice})`, async (simulation) => {
      if (!simulation.hasPendingTombstone) {
        if ((await proceedToPort(simulation, worker, ...dispatchPorts)) === undefined) return false;
        await simulation.crash(worker, 'dropped');
      }
      if (!simulation.hasPendingTombstone) return false;
      await simulation.waitLong(DEDUPLICATION_MS + MINUTE_MS);
      for (const relaying of [worker, worker + 1]) {
        if (!(await simulation.relay(relaying, 0))) return false;
        if ((await proceedToPort(simulation, relaying, 'mark')) === undefined) return false;
        await simulation.world.pass(RELAY_LEASE_MS + 1_000);
      }
      await simulation.proceed(worker, 0, 'answered', 'mark');
      simulation.deleteExpired(choice);
      return await simulation.proceed(worker + 1, 0, 'answered', 'mark');
    }),
);

/** The next of what is to be deployed. */
const deploy = fc.constant(new Step('deploy()', (simulation) => simulation.deploy()));

/** Of sagas whose outbox changes over. */
export const deploymentSteps = [{ weight: 5, arbitrary: deploy }];

/** Of sagas whose item keeps the messages that were handled. */
export const embeddedSteps = [
  { weight: 1, arbitrary: waitLong },
  { weight: 2, arbitrary: lastCopy },
  { weight: 2, arbitrary: deleteExpired },
  { weight: 1, arbitrary: commitBesideDeletion },
  { weight: 1, arbitrary: marksBesideDeletion },
];
