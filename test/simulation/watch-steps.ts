import fc from 'fast-check';
import { type LastFate, lastFates } from './fates.ts';
import { dispatchPorts, proceedBy, proceedToPort, proceedToRelay } from './proceed.ts';
import { type End, end, meet, named } from './rare-steps.ts';
import { SHARDS } from './simulated-stream.ts';
import { Step } from './step.ts';

const worker = fc.nat(2);
const shard = fc.nat(SHARDS - 1);
const shards = Array.from({ length: SHARDS }, (_, index) => index);
/** Of a batch: smaller than what one message leaves in the stream, up to all. */
const size = fc.constantFrom(1, 2, 3, 5, 100);

/** A batch of the stream, after a few of its calls beside whatever goes on, or at its end. */
const readStream = fc
  .tuple(
    worker,
    shard,
    size,
    fc.nat(4),
    fc.constantFrom<('goesOn' | 'fails' | LastFate)[]>('goesOn', 'goesOn', 'fails', ...lastFates),
  )
  .map(
    ([worker, shard, size, calls, end]) =>
      new Step(
        `readStream(${worker}, shard ${shard}, ${size} changes, ${end} after ${calls} calls)`,
        async (simulation) => {
          if (!(await simulation.watchStream(worker, shard, size))) return false;
          await proceedBy(simulation, worker, 0, calls);
          if (end === 'goesOn') return true;
          if (end === 'fails') return await simulation.proceed(worker, 0, 'refused');
          return await simulation.crash(worker, end);
        },
      ),
  );

/** A call of a watcher, which finds something to list: a worker has died behind its commit. */
const watcherCall = fc.tuple(worker, fc.constantFrom('look' as const, 'list' as const), end, fc.nat(3)).map(
  ([worker, port, end, calls]) =>
    new Step(`watcherCall(${worker}, ${port}, ${named(end)}, then ${calls} calls)`, async (simulation) => {
      if (!simulation.hasUndispatched) {
        if ((await proceedToPort(simulation, worker, ...dispatchPorts)) === undefined) return false;
        await simulation.crash(worker, 'dropped');
      }
      for (const shard of shards) {
        if (!(await simulation.watchStream(worker, shard, 100))) continue;
        if ((await proceedToPort(simulation, worker, port)) === undefined) continue;
        await meet(simulation, worker, port, end);
        return await proceedBy(simulation, worker, 0, calls);
      }
      return false;
    }),
);

/** All is read in the middle of a relay, which another one may meet. */
const watchBesideRelay = fc
  .tuple(
    worker,
    fc.boolean(),
    fc.constantFrom('find' as const, 'send' as const, 'unlist' as const, 'unlist' as const),
    fc.boolean(),
    fc.oneof<fc.Arbitrary<End>[]>(end, fc.constant<End>({ fate: 'answered' })),
  )
  .map(([worker, fails, until, meetsAnother, end]) => {
    const dispatch = fails ? 'fails' : 'goes on';
    const others = meetsAnother ? 'beside another' : 'alone';
    const name = `watchBesideRelay(${worker}, ${dispatch}, at ${until}, ${others}, ${named(end)})`;
    return new Step(name, async (simulation) => {
      if (!(await proceedToRelay(simulation, worker, 4_000))) return false;
      if (fails) {
        const failed = await proceedToPort(simulation, worker, ...dispatchPorts);
        if (failed === undefined) return false;
        await simulation.proceed(worker, 0, 'refused', failed);
      }
      const reached = await proceedToPort(simulation, worker, until);
      await simulation.readOn(worker + 1);
      if (meetsAnother && (await simulation.relay(worker + 1, 0)))
        await proceedBy(simulation, worker + 1, 0, 9);
      return reached !== undefined && (await meet(simulation, worker, reached, end));
    });
  });

/** What was read before is read once more. */
const newMapping = fc.constant(
  new Step('newMapping()', async (simulation) => {
    simulation.newMapping();
    return true;
  }),
);

/** Of the watcher of the stream. */
export const watchSteps = [
  { weight: 3, arbitrary: readStream },
  { weight: 2, arbitrary: watcherCall },
  { weight: 2, arbitrary: watchBesideRelay },
  { weight: 1, arbitrary: newMapping },
];
