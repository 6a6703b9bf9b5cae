import { Random } from '../../support/random.ts';
import { Invocation, type InvocationScript } from './invocation.ts';
import { type SessionInvariant, SessionWorld } from './session-world.ts';

export interface SessionCheck {
  readonly runs: number;
  /** How often each thing happened: what never happens is not tested. */
  readonly counts: ReadonlyMap<string, number>;
  readonly failure: SessionFailure | undefined;
}

export interface SessionFailure {
  readonly invariant: SessionInvariant;
  readonly message: string;
  /** Repeats it. */
  readonly seed: number;
}

/** More than any run takes, by far. */
const MAX_STEPS = 2_000;

/** Simulates histories of requests with one seed after another, up to the first one that breaks an invariant. */
export async function checkSessions(seed: number, runs: number): Promise<SessionCheck> {
  const counts = new Map<string, number>();
  for (let run = 0; run < runs; run += 1) {
    const world = new SessionWorld(drawsOf(seed + run));
    await simulate(world);
    for (const [name, count] of world.counts) counts.set(name, (counts.get(name) ?? 0) + count);
    if (world.violation) return { runs: run + 1, counts, failure: { ...world.violation, seed: seed + run } };
  }
  return { runs, counts, failure: undefined };
}

async function simulate(world: SessionWorld): Promise<void> {
  const { random } = world;
  const invocations: Invocation[] = [];
  const isCalm = random() < 0.3;
  world.hasFaults = !isCalm;
  const requests = 2 + Math.floor(random() * 4);
  const start = (script: InvocationScript) => {
    const invocation = new Invocation(`a${invocations.length + 1}`, script, world, invocations);
    invocations.push(invocation);
    void invocation.run();
  };
  for (let steps = 0; steps < MAX_STEPS && !world.violation; steps += 1) {
    if (invocations.length < requests && random() < 0.25) start(scriptOf(random));
    const isGoing = await world.proceed();
    if (!isGoing && invocations.length === requests) break;
    if (!isGoing) start(scriptOf(random));
  }
  for (const { name, hasEnded, isDead } of invocations)
    if (!hasEnded && !isDead) world.violate('rest', `${name} does not end`);
  if (!world.violation) await comeToRest(world, invocations, start);
}

function scriptOf(random: () => number): InvocationScript {
  const draw = random();
  return {
    key: random() < 0.1 ? undefined : random() < 0.8 ? 'k1' : 'k2',
    content: random() < 0.9 ? 'one' : 'other',
    exclusive: random() < 0.5,
    isOfMiddy: random() < 0.5,
    does: draw < 0.75 ? 'succeeds' : draw < 0.9 ? 'throws' : 'answers 500',
  };
}

/** The faults stop, and each request that was committed is repeated: it gets its response, and is sent whole. */
async function comeToRest(
  world: SessionWorld,
  invocations: readonly Invocation[],
  start: (script: InvocationScript) => void,
): Promise<void> {
  world.hasFaults = false;
  while (await world.proceed());
  for (const [id, { by }] of [...world.commits]) {
    if (by.script.key === undefined) continue;
    start({ ...by.script, does: 'throws' });
    while (await world.proceed());
    const last = invocations.at(-1);
    if (last?.answer?.body !== by.name)
      world.violate('answer', `${id} is stored, and repeated it is not answered`);
  }
  const ofOthers = new Set(
    [...world.storage.records.values()].flatMap(({ dispatched, operations }) =>
      dispatched ? [] : operations.map(({ id }) => id),
    ),
  );
  // What has no key waits for the relay in its record.
  const lost = world.unsentIds.filter((id) => !ofOthers.has(id));
  if (lost.length > 0) world.violate('I3', `${lost.length} messages are not sent, and in no record`);
  for (const { messageId, dispatched } of world.storage.records.values())
    if (!dispatched && /^k/.test(messageId))
      world.violate('rest', `${messageId} was repeated, and is not dispatched`);
}

function drawsOf(seed: number): () => number {
  const random = new Random(seed);
  return () => random.below(1_000_000) / 1_000_000;
}
