import { getHeapStatistics } from 'node:v8';
import type { SQSEvent } from 'aws-lambda';
import { measure } from 'mitata';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import type { Figures } from '../benchmark/figures.ts';
import { inTurns, mapNames, mediansOf } from '../benchmark/in-turns.ts';
import type { StartContender } from './contenders.ts';
import { orderBatches } from './orders.ts';
import { stubClients } from './stub-clients.ts';

/** The figures of one invocation. */
type Invocation = Figures['overhead']['batch1']['sagabox'];

export interface RoundSettings {
  /** Even: each contender is as often ahead of the others as behind them. */
  readonly rounds: number;
  /**
   * That each contender handles in each round: a number, and no time, so that a busy machine changes nothing.
   */
  readonly messages: number;
  /** That each handles before the first round, for its code to be compiled. */
  readonly warmUpMessages: number;
}

/** Invokes the contenders with batches of so many records. */
export async function invokeInRounds<Name extends string>(
  contenders: Readonly<Record<Name, StartContender>>,
  records: number,
  { rounds, messages, warmUpMessages }: RoundSettings,
): Promise<Record<Name, Invocation>> {
  const names = Object.keys(contenders) as Name[];
  const context = lambdaContext();
  const handlers = mapNames(names, (name) => {
    const handle = contenders[name](stubClients(), () => {});
    return async (event: SQSEvent) => await handle(event, context);
  });
  return await invokeSideBySide(handlers, orderBatches(records), {
    rounds,
    invocations: messages / records,
    warmUpInvocations: warmUpMessages / records,
  });
}

/** As {@link RoundSettings}, of invocations. */
export interface InvocationRounds {
  readonly rounds: number;
  readonly invocations: number;
  readonly warmUpInvocations: number;
}

/** Invokes handlers of any event in turns. */
export async function invokeSideBySide<Name extends string, Event>(
  handlers: Readonly<Record<Name, (event: Event) => Promise<unknown>>>,
  nextEvent: () => Event,
  { rounds, invocations: times, warmUpInvocations }: InvocationRounds,
): Promise<Record<Name, Invocation>> {
  const names = Object.keys(handlers) as Name[];
  for (const name of names) await invocations(warmUpInvocations, nextEvent, handlers[name]);
  const measured = await inTurns(names, rounds, (name) => invocations(times, nextEvent, handlers[name]));
  return mapNames(names, (name) => ({
    ...mediansOf(measured[name]),
    // A processor that others share is slow for whole rounds, for one contender in more of them than for another.
    medianMicros: Math.min(...measured[name].map(({ medianMicros }) => medianMicros)),
  }));
}

async function invocations<Event>(
  times: number,
  nextEvent: () => Event,
  bench: (event: Event) => Promise<unknown>,
): Promise<Invocation> {
  // The types of mitata allow functions only, its documentation this too: what `0` makes is not measured. The
  // runtime parses the event for any handler.
  const yieldInvocation = function* () {
    yield { 0: nextEvent, bench };
  } as unknown as () => Generator<() => unknown, void, undefined>;
  const stats = await measure(yieldInvocation, {
    heap: () => getHeapStatistics().used_heap_size,
    // Collecting all garbage between two rounds makes V8 drop compiled code that was not used meanwhile: each
    // round would begin with a cold contender, the colder the more code it has.
    gc: false,
    min_samples: times,
    max_samples: times,
    min_cpu_time: 0,
    // Each invocation is a sample: over several, collected garbage would look like fewer allocations.
    batch_threshold: 0,
    // By default the mean leaves out the longest samples: those in which garbage was collected.
    samples_threshold: Number.POSITIVE_INFINITY,
  });
  return {
    medianMicros: stats.p50 / 1000,
    meanMicros: stats.avg / 1000,
    allocatedBytes: stats.heap?.avg ?? 0,
  };
}
