import fc from 'fast-check';
import { type Fate, fates, type LastFate, lastFates } from './fates.ts';
import type { Simulation } from './simulation.ts';

type Act = (simulation: Simulation) => Promise<boolean>;

/** One step of a history. It stands for itself: without the steps before it, it still does something like it, or nothing. */
class Step implements fc.AsyncCommand<object, Simulation> {
  readonly #name: string;
  readonly #act: Act;

  constructor(name: string, act: Act) {
    this.#name = name;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(_model: object, simulation: Simulation): Promise<void> {
    await this.#act(simulation);
    simulation.world.assertHolds();
  }

  toString(): string {
    return this.#name;
  }
}

const worker = fc.nat(2);
const choice = fc.nat(5);
/** Of the calls that wait, mostly the first. */
const callChoice = fc.constantFrom(0, 0, 0, 1, 2);
const fewTimes = fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 6, 9, 16);
/** It takes about as many calls to handle a message. */
const MOST_CALLS_BEFORE = 7;
/** Longer than from one renewal of a lease to the next. */
const RENEWAL_MS = 4_000;
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

function isMannered(fate: Fate): fate is 'stale' | 'partial' {
  return fate === 'stale' || fate === 'partial';
}

/** Only some calls can be stale or partial: the next one that can. */
async function proceedTo(
  simulation: Simulation,
  worker: number,
  choice: number,
  manner: 'stale' | 'partial',
): Promise<boolean> {
  for (let calls = 0; calls < MOST_CALLS_BEFORE; calls += 1) {
    const isReached = simulation
      .instance(worker)
      .pending.some(({ request }) => request.manners?.includes(manner));
    if (!(await simulation.proceed(worker, choice, isReached ? manner : 'answered'))) return false;
    simulation.world.assertHolds();
    if (isReached) return true;
  }
  return false;
}

async function proceedBy(
  simulation: Simulation,
  worker: number,
  choice: number,
  times: number,
): Promise<boolean> {
  for (let time = 0; time < times; time += 1) {
    if (!(await simulation.proceed(worker, choice))) return false;
    simulation.world.assertHolds();
  }
  return true;
}

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
    fc.nat(3),
    fc.constantFrom<('goesOn' | 'meetsAnother' | LastFate)[]>('goesOn', 'meetsAnother', ...lastFates),
  )
  .map(
    ([worker, olderThanMs, calls, end]) =>
      new Step(`recover(${worker}, ${olderThanMs} ms, ${end} after ${calls} calls)`, async (simulation) => {
        if (!(await simulation.recover(worker, olderThanMs))) return false;
        await proceedBy(simulation, worker, 0, calls);
        if (end === 'goesOn') return true;
        if (end !== 'meetsAnother') return await simulation.crash(worker, end);
        return await simulation.recover(worker + 1, olderThanMs);
      }),
  );

/** While its handler runs, a worker's lease is renewed: that call meets a fault, or the end of its worker. */
const renewal = fc.tuple(worker, fc.boolean(), fc.constantFrom(...fates), fc.constantFrom(...lastFates)).map(
  ([worker, dies, fate, lastFate]) =>
    new Step(`renewal(${worker}, ${dies ? `dies, ${lastFate}` : fate})`, async (simulation) => {
      for (let calls = 0; calls < MOST_CALLS_BEFORE; calls += 1) {
        if (simulation.waitsFor(worker, 'pause')) break;
        if (!(await simulation.proceed(worker, 0))) return false;
      }
      await simulation.world.pass(RENEWAL_MS);
      if (!simulation.waitsFor(worker, 'renew')) return false;
      if (dies) return await simulation.crash(worker, lastFate);
      return await simulation.proceed(worker, 0, fate, 'renew');
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
);

/** @param replayPath of a failure that is repeated: which steps of its history were left over */
export function histories(replayPath?: string) {
  return fc.commands<object, Simulation, false>([step], {
    maxCommands: 50,
    size: 'max',
    ...(replayPath !== undefined && { replayPath }),
  });
}
