import type { Port } from './call.ts';
import type { Fate } from './fates.ts';
import type { Simulation } from './simulation.ts';

/** It takes about as many calls to handle a message. */
export const MAX_CALLS_BEFORE = 8;
/** Longer than from one renewal of a lease to the next. */
const RENEWAL_MS = 4_000;
export const dispatchPorts = ['send', 'schedule', 'unschedule', 'mark'] as const;
const TIMEOUT_MS = 30_000;

export function isMannered(fate: Fate): fate is 'stale' | 'partial' {
  return fate === 'stale' || fate === 'partial';
}

/** Only some calls can be stale or partial: the next one that can. */
export async function proceedTo(
  simulation: Simulation,
  worker: number,
  choice: number,
  manner: 'stale' | 'partial',
): Promise<boolean> {
  for (let calls = 0; calls < MAX_CALLS_BEFORE; calls += 1) {
    const isReached = simulation
      .instance(worker)
      .pending.some(({ request }) => request.manners?.includes(manner));
    if (!(await simulation.proceed(worker, choice, isReached ? manner : 'answered'))) return false;
    simulation.world.assertHolds();
    if (isReached) return true;
  }
  return false;
}

export async function proceedBy(
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

/** To a call that few messages make. @returns which one of them it is */
export async function proceedToPort(
  simulation: Simulation,
  worker: number,
  ...ports: readonly Port[]
): Promise<Port | undefined> {
  const reached = () => ports.find((port) => simulation.waitsFor(worker, port));
  for (let calls = 0; calls < MAX_CALLS_BEFORE && reached() === undefined; calls += 1) {
    if (!(await simulation.proceed(worker, 0))) return undefined;
    simulation.world.assertHolds();
  }
  return reached();
}

/** To a handler that takes so long that its lease is renewed. */
export async function proceedToRenewal(simulation: Simulation, worker: number): Promise<boolean> {
  for (let calls = 0; calls < MAX_CALLS_BEFORE; calls += 1) {
    if (simulation.waitsFor(worker, 'pause')) break;
    if (!(await simulation.proceed(worker, 0))) return false;
  }
  await simulation.world.pass(RENEWAL_MS);
  return simulation.waitsFor(worker, 'renew');
}

/** What is under way ends first, then a timeout is taken, whose saga is read where it may be stale. */
export async function proceedToTimeout(
  simulation: Simulation,
  worker: number,
  choice: number,
): Promise<boolean> {
  await proceedBy(simulation, worker, 0, MAX_CALLS_BEFORE);
  await simulation.world.pass(TIMEOUT_MS);
  simulation.world.queue.prefer('Elapsed');
  return await proceedTo(simulation, worker, choice, 'stale');
}

/** To a relay with work to do: a worker has died behind its commit. */
export async function proceedToRelay(
  simulation: Simulation,
  worker: number,
  waitMs: number,
): Promise<boolean> {
  if (!simulation.hasUndispatched) {
    if ((await proceedToPort(simulation, worker, ...dispatchPorts)) === undefined) return false;
    await simulation.crash(worker, 'dropped');
  }
  await simulation.readOn(worker);
  await simulation.world.pass(waitMs);
  return await simulation.relay(worker, 0);
}
