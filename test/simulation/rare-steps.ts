import fc from 'fast-check';
import type { Port } from './call.ts';
import { type Fate, faults, type LastFate, lastFates } from './fates.ts';
import {
  dispatchPorts,
  proceedBy,
  proceedTo,
  proceedToPort,
  proceedToRelay,
  proceedToRenewal,
} from './proceed.ts';
import type { Simulation } from './simulation.ts';
import { Step } from './step.ts';

/** What the call meets to which a step goes: a fault, or the death of its worker. */
export type End = { readonly fate: Fate } | { readonly death: LastFate };

const worker = fc.nat(2);
export const end: fc.Arbitrary<End> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...faults).map((fate) => ({ fate })) },
  { weight: 1, arbitrary: fc.constantFrom(...lastFates).map((death) => ({ death })) },
);
/** Of up to three calls that wait. */
const LAST_CALL = 5;

export const named = (end: End) => ('fate' in end ? end.fate : `dies, ${end.death}`);

export async function meet(simulation: Simulation, worker: number, port: Port, end: End): Promise<boolean> {
  if ('death' in end) return await simulation.crash(worker, end.death);
  return await simulation.proceed(worker, 0, end.fate, port);
}

/** While its handler runs, a worker's lease is renewed. */
export const renewal = fc.tuple(worker, end).map(
  ([worker, end]) =>
    new Step(`renewal(${worker}, ${named(end)})`, async (simulation) => {
      if (!(await proceedToRenewal(simulation, worker))) return false;
      return await meet(simulation, worker, 'renew', end);
    }),
);

/** A handler takes longer than its group, or its lease, waits for it. */
export const slowHandler = fc
  .tuple(worker, fc.constantFrom(6_000, 6_000, 11_000), fc.integer({ min: 1, max: 6 }))
  .map(
    ([worker, durationMs, times]) =>
      new Step(`slowHandler(${worker}, ${durationMs} ms, then ${times} calls)`, async (simulation) => {
        if ((await proceedToPort(simulation, worker, 'pause')) === undefined) return false;
        await simulation.world.pass(durationMs);
        return await proceedBy(simulation, worker, LAST_CALL, times);
      }),
  );

const rarePorts: readonly Port[] = [
  'schedule',
  'schedule',
  'schedule',
  'schedule',
  'schedule',
  'unschedule',
  'unschedule',
  'forward',
  'forward',
  'release',
];

/** A call that few messages make; what goes on behind it is answered, the last one first. */
export const rareCall = fc
  .tuple(worker, fc.constantFrom(...rarePorts), end, fc.integer({ min: 1, max: 4 }))
  .map(
    ([worker, port, end, times]) =>
      new Step(`rareCall(${worker}, ${port}, ${named(end)}, then ${times} calls)`, async (simulation) => {
        if ((await proceedToPort(simulation, worker, port)) === undefined) return false;
        await meet(simulation, worker, port, end);
        simulation.world.assertHolds();
        return await proceedBy(simulation, worker, LAST_CALL, times);
      }),
  );

/** Of two schedules that are made side by side one fails, and the other has its answer on its way. */
export const unevenSchedules = fc
  .tuple(worker, fc.constantFrom<Port>('schedule', 'unschedule'), fc.integer({ min: 1, max: 4 }))
  .map(
    ([worker, port, times]) =>
      new Step(`unevenSchedules(${worker}, ${port}, then ${times} calls)`, async (simulation) => {
        if ((await proceedToPort(simulation, worker, port)) === undefined) return false;
        await simulation.proceed(worker, 0, 'refused', port);
        if (!simulation.waitsFor(worker, port)) return true;
        await simulation.proceed(worker, 0, 'slow', port);
        return await proceedBy(simulation, worker, LAST_CALL, times);
      }),
  );

/** A dispatch of which a part is sent, and which keeps that. */
export const unfinishedDispatch = fc.tuple(worker, end).map(
  ([worker, end]) =>
    new Step(`unfinishedDispatch(${worker}, ${named(end)})`, async (simulation) => {
      if (!(await proceedTo(simulation, worker, 0, 'partial'))) return false;
      if ((await proceedToPort(simulation, worker, 'keep sent')) === undefined) return false;
      return await meet(simulation, worker, 'keep sent', end);
    }),
);

/** The calls of a relay, each with those of which one has to fail before it. */
const relayPorts: readonly (readonly [Port, readonly Port[]])[] = [
  ['search', []],
  ['claim', []],
  ['find', []],
  ['give back', ['find']],
  ['postpone', dispatchPorts],
  ['postpone', ['mark']],
  ['unlist', []],
];

/** A call of a relay, which finds something to do. */
export const relayCall = fc
  .tuple(worker, fc.constantFrom(4_000, 4_000, 25_000), fc.constantFrom(...relayPorts), end)
  .map(
    ([worker, waitMs, [port, failing], end]) =>
      new Step(`relayCall(${worker}, after ${waitMs} ms, ${port}, ${named(end)})`, async (simulation) => {
        if (!(await proceedToRelay(simulation, worker, waitMs))) return false;
        if (failing.length > 0) {
          const failed = await proceedToPort(simulation, worker, ...failing);
          if (failed === undefined) return false;
          await simulation.proceed(worker, 0, 'refused', failed);
        }
        if ((await proceedToPort(simulation, worker, port)) === undefined) return false;
        return await meet(simulation, worker, port, end);
      }),
  );
