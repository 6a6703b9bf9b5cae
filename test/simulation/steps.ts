import fc from 'fast-check';
import type { Port } from './call.ts';
import { type Fate, fates, type LastFate, lastFates } from './fates.ts';
import {
  isMannered,
  MOST_CALLS_BEFORE,
  proceedBy,
  proceedTo,
  proceedToPort,
  proceedToRenewal,
  proceedToTimeout,
} from './proceed.ts';
import type { Simulation } from './simulation.ts';
import { Step } from './step.ts';

const worker = fc.nat(2);
const choice = fc.nat(5);
/** Of the calls that wait, mostly the first. */
const callChoice = fc.constantFrom(0, 0, 0, 1, 2);
const fewTimes = fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 6, 9, 16);
const rarePorts = ['schedule', 'schedule', 'schedule', 'unschedule', 'forward', 'release'] as const;
const rareFates = ['refused', 'throttled', 'lost', 'late'] as const;
/** Of up to three calls that wait. */
const LAST_CALL = 5;
const callsBefore = fc.nat(MOST_CALLS_BEFORE);

const proceed = fc
  .tuple(worker, choice, fewTimes)
  .map(
    ([worker, choice, times]) =>
      new Step(`proceed(${worker}, ${choice}, ${times} times)`, (simulation) =>
        proceedBy(simulation, worker, choice, times),
      ),
  );

/** Where nothing can be stale, it is a few calls that are answered. */
const faults: readonly Fate[] = [...fates.filter((fate) => fate !== 'answered'), 'stale', 'stale', 'stale'];
const fault = fc.tuple(worker, callChoice, callsBefore, fc.constantFrom(...faults)).map(
  ([worker, choice, before, fate]) =>
    new Step(`${fate}(${worker}, ${choice}, after ${before} calls)`, async (simulation) => {
      if (isMannered(fate)) return await proceedTo(simulation, worker, choice, fate);
      await proceedBy(simulation, worker, choice, before);
      return await simulation.proceed(worker, choice, fate);
    }),
);

const crash = fc.tuple(worker, callChoice, callsBefore, fc.constantFrom<LastFate[]>(...lastFates)).map(
  ([worker, choice, before, lastFate]) =>
    new Step(`crash(${worker}, ${choice}, after ${before} calls, ${lastFate})`, async (simulation) => {
      await proceedBy(simulation, worker, choice, before + 1);
      return await simulation.crash(worker, lastFate);
    }),
);

/** From a moment to more than a lease, the time of an invocation, or the visibility timeout. */
const pass = fc.constantFrom(100, 1_000, 4_000, 4_000, 11_000, 29_200, 31_000, 61_000).map(
  (durationMs) =>
    new Step(`pass(${durationMs} ms)`, async (simulation) => {
      await simulation.world.pass(durationMs);
      return true;
    }),
);

const arriveLate = choice.map(
  (choice) => new Step(`arriveLate(${choice})`, (simulation) => simulation.arriveLate(choice)),
);
const redeliver = choice.map(
  (choice) => new Step(`redeliver(${choice})`, async (simulation) => simulation.redeliver(choice)),
);
const duplicate = choice.map(
  (choice) => new Step(`duplicate(${choice})`, async (simulation) => simulation.duplicate(choice)),
);
/** A recovery, after a few of its calls beside another one, or at its end. */
const recover = fc
  .tuple(
    worker,
    fc.constantFrom(0, 0, 20_000),
    fc.nat(4),
    fc.constantFrom<('goesOn' | 'fails' | 'meetsAnother' | LastFate)[]>(
      'goesOn',
      'fails',
      'fails',
      'meetsAnother',
      ...lastFates,
    ),
  )
  .map(
    ([worker, olderThanMs, calls, end]) =>
      new Step(`recover(${worker}, ${olderThanMs} ms, ${end} after ${calls} calls)`, async (simulation) => {
        if (!(await simulation.recover(worker, olderThanMs))) return false;
        await proceedBy(simulation, worker, 0, calls);
        if (end === 'goesOn') return true;
        if (end === 'fails') return await simulation.proceed(worker, 0, 'refused');
        if (end !== 'meetsAnother') return await simulation.crash(worker, end);
        return await simulation.recover(worker + 1, olderThanMs);
      }),
  );

/** While its handler runs, a worker's lease is renewed: that call meets a fault, or the end of its worker. */
const renewal = fc.tuple(worker, fc.boolean(), fc.constantFrom(...fates), fc.constantFrom(...lastFates)).map(
  ([worker, dies, fate, lastFate]) =>
    new Step(`renewal(${worker}, ${dies ? `dies, ${lastFate}` : fate})`, async (simulation) => {
      if (!(await proceedToRenewal(simulation, worker))) return false;
      if (dies) return await simulation.crash(worker, lastFate);
      return await simulation.proceed(worker, 0, fate, 'renew');
    }),
);

/** A timeout is received once it is due, and its saga is read from an old replica where that is allowed. */
const staleTimeout = fc
  .tuple(worker, choice)
  .map(
    ([worker, choice]) =>
      new Step(`staleTimeout(${worker}, ${choice})`, (simulation) =>
        proceedToTimeout(simulation, worker, choice),
      ),
  );

/** A call that few messages make meets a fault; what goes on behind it is answered, the last one first. */
const rareFault = fc
  .tuple(
    worker,
    fc.constantFrom<Port[]>(...rarePorts),
    fc.constantFrom<Fate[]>(...rareFates),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(
    ([worker, port, fate, times]) =>
      new Step(`${fate}(${worker}, ${port}, then ${times} calls)`, async (simulation) => {
        if (!(await proceedToPort(simulation, worker, port))) return false;
        await simulation.proceed(worker, 0, fate, port);
        simulation.world.assertHolds();
        return await proceedBy(simulation, worker, LAST_CALL, times);
      }),
  );

const tightenSchema = fc.constant(
  new Step('tightenSchema()', async (simulation) => {
    simulation.tightenSchema();
    return true;
  }),
);

const step = fc.oneof(
  { weight: 12, arbitrary: proceed },
  { weight: 6, arbitrary: fault },
  { weight: 2, arbitrary: crash },
  { weight: 3, arbitrary: pass },
  { weight: 2, arbitrary: arriveLate },
  { weight: 3, arbitrary: redeliver },
  { weight: 2, arbitrary: duplicate },
  { weight: 3, arbitrary: recover },
  { weight: 1, arbitrary: renewal },
  { weight: 2, arbitrary: rareFault },
  { weight: 1, arbitrary: staleTimeout },
  { weight: 1, arbitrary: tightenSchema },
);

/** @param replayPath of a failure that is repeated: which steps of its history were left over */
export function histories(replayPath?: string) {
  return fc.commands<object, Simulation, false>([step], {
    maxCommands: 50,
    size: 'max',
    ...(replayPath !== undefined && { replayPath }),
  });
}
