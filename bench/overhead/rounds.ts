import { getHeapStatistics } from 'node:v8';
import type { Context as LambdaContext, SQSEvent } from 'aws-lambda';
import { measure } from 'mitata';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { median } from '../../test/support/median.ts';
import type { Contender } from './contender.ts';
import { orderBatches } from './orders.ts';
import { stubClients } from './stub-clients.ts';

/** Of one invocation. */
export interface Invocations {
  /**
   * The median of the invocations. It hides the garbage that they leave: V8 collects it in few of them, which
   * are beyond the median, however long they take.
   */
  readonly micros: number;
  /**
   * The mean of all invocations: garbage that is collected during one is in it, and so is what else the
   * machine does meanwhile.
   */
  readonly meanMicros: number;
  readonly allocatedBytes: number;
}

export interface RoundSettings {
  /** Even: each contender is as often ahead of the others as behind them. */
  readonly rounds: number;
  /**
   * That each contender handles in each round; a number rather than a time, so that a busy machine changes
   * nothing.
   */
  readonly messages: number;
  /** That each handles ahead of the first round, for its code to be compiled. */
  readonly warmUpMessages: number;
}

/**
 * Invokes the contenders in turns, so that what else goes on in the machine falls on all of them.
 *
 * @returns by contender: the median over the rounds of each round's median time, mean time and mean
 *   allocations
 */
export async function invokeInRounds(
  contenders: readonly Contender[],
  records: number,
  { rounds, messages, warmUpMessages }: RoundSettings,
): Promise<Invocations[]> {
  const nextEvent = orderBatches(records);
  const started = contenders.map((contender) => {
    const handle = contender.start(stubClients(), () => {});
    return { handle, seen: [] as Invocations[] };
  });
  const context = lambdaContext();
  for (const { handle } of started) await invoke(warmUpMessages / records, handle, nextEvent, context);
  for (let round = 0; round < rounds; round += 1) {
    // Who comes first changes: garbage that one leaves is not always collected at the cost of the same other
    // one.
    const order = round % 2 === 0 ? started : started.toReversed();
    for (const { handle, seen } of order) {
      seen.push(await invoke(messages / records, handle, nextEvent, context));
    }
  }
  return started.map(({ seen }) => ({
    micros: median(seen.map(({ micros }) => micros)),
    meanMicros: median(seen.map(({ meanMicros }) => meanMicros)),
    allocatedBytes: median(seen.map(({ allocatedBytes }) => allocatedBytes)),
  }));
}

async function invoke(
  times: number,
  handle: (event: SQSEvent, context: LambdaContext) => Promise<unknown>,
  nextEvent: () => SQSEvent,
  context: LambdaContext,
): Promise<Invocations> {
  // Its types know of functions only, its documentation of this too: what `0` makes is outside of what is
  // measured. It is the runtime that parses an event, for any handler.
  const invocations = function* () {
    yield { 0: nextEvent, bench: async (event: SQSEvent) => await handle(event, context) };
  } as unknown as () => Generator<() => unknown, void, undefined>;
  const stats = await measure(invocations, {
    heap: () => getHeapStatistics().used_heap_size,
    // Collecting all garbage between two rounds makes V8 forget compiled code that was not used meanwhile:
    // each round would begin with a cold contender, the colder the more code it has. No function in use is
    // treated so.
    gc: false,
    min_samples: times,
    max_samples: times,
    min_cpu_time: 0,
    // Each invocation is a sample: over several, garbage that is collected would be taken for less that was
    // allocated.
    batch_threshold: 0,
    // By itself it leaves the longest out, of which it makes the mean: they are those that garbage was
    // collected in.
    samples_threshold: Number.POSITIVE_INFINITY,
  });
  return { micros: stats.p50 / 1000, meanMicros: stats.avg / 1000, allocatedBytes: stats.heap?.avg ?? 0 };
}
