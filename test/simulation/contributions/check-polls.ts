import type { MemorySaga } from '../../../lib/testing/memory/storage.ts';
import { Random } from '../../support/random.ts';
import { PollInvocation, pollKey, pollModes } from './poll-invocation.ts';
import type { PollInvariant } from './poll-ledger.ts';
import type { PollState } from './poll-saga.ts';
import { PollWorld } from './poll-world.ts';

export interface PollCheck {
  readonly runs: number;
  /** How often each thing happened: what never happens is not tested. */
  readonly counts: ReadonlyMap<string, number>;
  readonly failure:
    | { readonly invariant: PollInvariant; readonly message: string; readonly seed: number }
    | undefined;
}

/** More than any history takes, by far. */
const MAX_STEPS = 20_000;
const MAX_INVOCATIONS = 3;

/** Simulates histories with one seed after another, up to the first one that breaks an invariant. */
export async function checkPolls(seed: number, runs: number): Promise<PollCheck> {
  const counts = new Map<string, number>();
  for (let run = 0; run < runs; run += 1) {
    const world = new PollWorld(new Random(seed + run));
    await simulate(world, seed + run);
    for (const [name, count] of world.counts) counts.set(name, (counts.get(name) ?? 0) + count);
    const { violation } = world.ledger;
    if (violation) return { runs: run + 1, counts, failure: { ...violation, seed: seed + run } };
  }
  return { runs, counts, failure: undefined };
}

async function simulate(world: PollWorld, seed: number): Promise<void> {
  const { random, ledger, queue } = world;
  const mode = pollModes[seed % pollModes.length] ?? 'optimistic';
  const invocations = new Set<PollInvocation>();
  const images: (MemorySaga | undefined)[] = [undefined];
  world.hasFaults = !world.isDrawn(0.2);
  fill(world);

  const start = () => {
    const size = 1 + random.below(Math.min(3, queue.length));
    const messages = Array.from({ length: size }, () =>
      queue.splice(random.below(Math.min(4, queue.length)), 1),
    ).flat();
    const invocation = new PollInvocation(world, mode, messages, images);
    invocations.add(invocation);
    void invocation.run();
  };
  const comeToRest = async () => {
    for (let steps = 0; steps < MAX_STEPS && !ledger.violation; steps += 1) {
      for (const invocation of invocations) {
        if (invocation.isDead && !invocation.hasEnded) queue.push(...invocation.messages);
        if (invocation.isDead || invocation.hasEnded) invocations.delete(invocation);
      }
      const mayStart = queue.length > 0 && invocations.size < MAX_INVOCATIONS;
      if (mayStart && world.isDrawn(0.2)) start();
      if (await world.proceed()) continue;
      if (invocations.size > 0 && [...invocations].every(({ hasEnded, isDead }) => !hasEnded && !isDead))
        break;
      if (queue.length > 0) start();
      else if (invocations.size === 0) return;
    }
    ledger.violate('rest', 'it does not end');
  };

  await comeToRest();
  world.hasFaults = false;
  await comeToRest();
  const life = (world.storage.sagas.get(pollKey)?.state as PollState | undefined)?.life;
  if (life !== undefined && ledger.unfinished.has(life))
    ledger.violate('asks', 'a collect left something, and its message did not come again');
  world.put('Counted', 'last', { atLeast: 0 });
  await comeToRest();
  ledger.atRest(world.storage, pollKey);
  if (life !== undefined) world.count('lives at rest');
}

/** Messages of one poll, which may start up to three times. Those that are drawn first come first, mostly. */
function fill(world: PollWorld): void {
  const { random, queue } = world;
  const some = (least: number, most: number) => least + random.below(most - least + 1);
  const many = (count: number, put: (index: number) => void) => {
    for (let index = 0; index < count; index += 1) put(index);
  };
  many(some(1, 2), (index) => world.put('Opened', `o${index}`, {}));
  many(some(3, 7), (index) =>
    world.put('Voted', `v${index}`, { votes: world.isDrawn(0.6) ? 40 : some(1, 2) }),
  );
  many(some(1, 3), (index) => world.put('Counted', `c${index}`, { atLeast: random.pick([0, 2, 100]) }));
  many(some(0, 2), (index) => world.put('Closed', `e${index}`, {}));
  const shuffled = queue.splice(1).map((message) => {
    const isVote = message.record?.type === 'Voted';
    return { message, place: random.below(1000) + (isVote ? 0 : 500) };
  });
  shuffled.sort((one, other) => one.place - other.place);
  queue.push(...shuffled.map(({ message }) => message));
}
