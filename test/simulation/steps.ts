import fc from 'fast-check';
import { besideCommit, lookBesideEnd } from './beside-steps.ts';
import { deploymentSteps, embeddedSteps } from './embedded-steps.ts';
import { type Fate, fates, type LastFate, lastFates } from './fates.ts';
import { type OutboxPlan, phasesOf } from './outbox-plans.ts';
import { isMannered, MAX_CALLS_BEFORE, proceedBy, proceedTo, proceedToTimeout } from './proceed.ts';
import {
  rareCall,
  relayCall,
  renewal,
  slowHandler,
  unevenSchedules,
  unfinishedDispatch,
} from './rare-steps.ts';
import type { Simulation } from './simulation.ts';
import { Step } from './step.ts';
import { watchSteps } from './watch-steps.ts';

const worker = fc.nat(2);
const choice = fc.nat(5);
/** Of the calls that wait, mostly the first. */
const callChoice = fc.constantFrom(0, 0, 0, 1, 2);
const fewTimes = fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 6, 9, 16);
const callsBefore = fc.nat(MAX_CALLS_BEFORE);

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
const show = choice.map(
  (choice) => new Step(`show(${choice})`, async (simulation) => simulation.show(choice)),
);
const redeliver = choice.map(
  (choice) => new Step(`redeliver(${choice})`, async (simulation) => simulation.redeliver(choice)),
);
const duplicate = choice.map(
  (choice) => new Step(`duplicate(${choice})`, async (simulation) => simulation.duplicate(choice)),
);
/** Another worker gets the message that the first one is at, and overtakes it. */
const overtake = fc.tuple(worker, choice, fc.integer({ min: 1, max: 3 }), choice).map(
  ([worker, choice, before, again]) =>
    new Step(`overtake(${worker}, ${choice}, after ${before} calls, ${again})`, async (simulation) => {
      if (!(await proceedBy(simulation, worker, choice, before))) return false;
      simulation.redeliver(again);
      return await proceedBy(simulation, worker + 1, choice, MAX_CALLS_BEFORE);
    }),
);
/** A relay, after a few of its calls beside another one, or at its end. */
const relay = fc
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
      new Step(`relay(${worker}, ${olderThanMs} ms, ${end} after ${calls} calls)`, async (simulation) => {
        await simulation.readOn(worker);
        if (!(await simulation.relay(worker, olderThanMs))) return false;
        await proceedBy(simulation, worker, 0, calls);
        if (end === 'goesOn') return true;
        if (end === 'fails') return await simulation.proceed(worker, 0, 'refused');
        if (end !== 'meetsAnother') return await simulation.crash(worker, end);
        return await simulation.relay(worker + 1, olderThanMs);
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

const tightenSchema = fc.constant(
  new Step('tightenSchema()', async (simulation) => {
    simulation.tightenSchema();
    return true;
  }),
);

const steps = [
  { weight: 12, arbitrary: proceed },
  { weight: 6, arbitrary: fault },
  { weight: 2, arbitrary: crash },
  { weight: 3, arbitrary: pass },
  { weight: 2, arbitrary: arriveLate },
  { weight: 3, arbitrary: redeliver },
  { weight: 2, arbitrary: duplicate },
  { weight: 1, arbitrary: overtake },
  { weight: 3, arbitrary: relay },
  { weight: 2, arbitrary: renewal },
  { weight: 2, arbitrary: slowHandler },
  { weight: 7, arbitrary: rareCall },
  { weight: 2, arbitrary: unevenSchedules },
  { weight: 3, arbitrary: unfinishedDispatch },
  { weight: 1, arbitrary: relayCall },
  { weight: 1, arbitrary: staleTimeout },
  { weight: 1, arbitrary: tightenSchema },
  { weight: 2, arbitrary: show },
  { weight: 5, arbitrary: besideCommit },
  { weight: 7, arbitrary: lookBesideEnd },
  ...watchSteps,
];

/** @param replayPath of a failure that is repeated: which steps of its history were left over */
export function histories(outbox: OutboxPlan, replayPath?: string) {
  const ofItems = outbox === 'records' ? [] : embeddedSteps;
  const ofPlan = phasesOf(outbox).length > 1 ? deploymentSteps : [];
  const step = fc.oneof(...steps, ...ofItems, ...ofPlan);
  return fc.commands<object, Simulation, false>([step], {
    maxCommands: 50,
    size: 'max',
    ...(replayPath !== undefined && { replayPath }),
  });
}
