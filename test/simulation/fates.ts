import type { Call } from './call.ts';
import type { Instance } from './instance.ts';
import { settled } from './simulated-time.ts';

/**
 * What any call can meet. `refused`: nothing happens, and the caller gets an error; `throttled`: one that
 * says so. `lost` and `lostThrottled`: it takes effect, and the caller gets the same error. `late`: the
 * caller gets the error, and the call takes effect at some later time. `slow`: it takes effect, and its
 * answer is on its way.
 */
export const faults = ['refused', 'throttled', 'lost', 'lostThrottled', 'late', 'slow'] as const;

/** `stale`: a read of an old replica; `partial`: the first half is taken. Only some calls can be either. */
export const fates = ['answered', ...faults, 'stale', 'partial'] as const;
export type Fate = (typeof fates)[number];

/** Of the call of a worker that dies: it never takes effect, it does, or it will. */
export const lastFates = ['dropped', 'applied', 'late'] as const;
export type LastFate = (typeof lastFates)[number];

export async function carryOut(instance: Instance, call: Call, wanted: Fate): Promise<void> {
  const { coverage } = instance.world;
  const { port } = call.request;
  const fate = possibleFate(call, wanted);
  instance.world.tell(() => `${instance.name}: ${port} ${call.request.about()} ${outcomes[fate]}`);
  if (fate !== 'answered') coverage.add(`${fate}: ${port}`);
  if (fate === 'slow') {
    call.isSlow = true;
    await call.apply();
    return;
  }
  if (fate !== 'answered') instance.invocation?.disturbances.fault(port, fate, call.request.leaseOwner);
  instance.takeOut(call);
  if (fate === 'answered' || fate === 'stale') {
    call.answer(await call.apply(fate === 'stale' ? 'stale' : 'whole'));
  } else {
    if (fate === 'lost' || fate === 'lostThrottled') await call.apply();
    if (fate === 'partial') await call.apply('partial');
    if (fate === 'late') instance.world.leaveUnderWay(call);
    const isPassing = fate === 'throttled' || fate === 'lostThrottled' || fate === 'partial';
    const refusal = call.request.refusal?.(isPassing);
    if (refusal) call.answer(refusal);
  }
  await settled();
}

/** Ends an instance in the middle of whatever it does. */
export async function crash(instance: Instance, lastFate: LastFate): Promise<void> {
  const { coverage } = instance.world;
  const left = instance.die();
  instance.world.tell(
    () =>
      `${instance.name} dies${left.map(({ request }) => `, ${request.port} ${request.about()} ${lastFate}`).join('')}`,
  );
  coverage.add('crashes');
  for (const call of left) {
    coverage.add(`crashed at ${call.request.port}, ${call.isApplied ? 'applied' : lastFate}`);
    if (call.isApplied) continue;
    if (lastFate === 'applied') await call.apply();
    if (lastFate === 'late') instance.world.leaveUnderWay(call);
  }
  if (left.length === 0) coverage.add('crashed asleep');
}

/** A call that has taken effect cannot be refused, and only some can be stale. */
function possibleFate({ isApplied, request }: Call, fate: Fate): Fate {
  if (fate === 'answered' || request.refusal === undefined) return 'answered';
  if (fate === 'stale' || fate === 'partial') {
    return !isApplied && request.manners?.includes(fate) ? fate : 'answered';
  }
  if (!isApplied) return fate;
  if (fate === 'slow') return 'answered';
  return fate === 'throttled' || fate === 'lostThrottled' ? 'lostThrottled' : 'lost';
}

const outcomes: Readonly<Record<Fate, string>> = {
  answered: 'is answered',
  refused: 'does not take effect, and fails',
  throttled: 'does not take effect, and is throttled',
  lost: 'takes effect, but fails for the caller',
  lostThrottled: 'takes effect, but looks throttled to the caller',
  late: 'fails for the caller, and takes effect later',
  slow: 'takes effect, its answer is on its way',
  stale: 'is answered by an old replica',
  partial: 'takes effect in its first half, and fails',
};
