import { planMessage, planWorkload, pricesOf, type RegionPrices } from 'sagabox/capacity';
import type { MessageShape } from '../../lib/capacity/message-shape.ts';
import { providerPrices } from './provider-prices.ts';

/** US dollars of one message, or of one process. */
export interface Cost {
  readonly tables: number;
  readonly queues: number;
  readonly lambda: number;
  /** What an orchestrator charges for its steps and its data. */
  readonly orchestration: number;
}

/** As the constructs make functions: 512 MB on Arm. A handler that only reads and writes takes less than 50 ms. */
export const invocation = { gigabytes: 0.5, seconds: 0.05 } as const;
/** Of a request, a reply, and the input of a process. */
export const payloadBytes = 500;
const gigabyte = 2 ** 30;
const secondsPerMonth = 730 * 3600;
const free: Cost = { tables: 0, queues: 0, lambda: 0, orchestration: 0 };

export const totalOf = ({ tables, queues, lambda, orchestration }: Cost) =>
  tables + queues + lambda + orchestration;

export function tablePrices(): RegionPrices {
  const prices = pricesOf('us-east-1');
  if (prices === undefined) throw new Error('The planner has no prices of us-east-1');
  return prices;
}

export function sumOf(costs: readonly Cost[]): Cost {
  const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
  return {
    tables: sum(({ tables }) => tables),
    queues: sum(({ queues }) => queues),
    lambda: sum(({ lambda }) => lambda),
    orchestration: sum(({ orchestration }) => orchestration),
  };
}

/** Of one invocation. */
export function lambdaCost({ gigabytes, seconds }: { gigabytes: number; seconds: number }): number {
  const { perRequest, perGigabyteSecond } = providerPrices.lambda;
  return perRequest + gigabytes * seconds * perGigabyteSecond;
}

/** One handled message on demand, as the planner prices it. A batch shares its receive, its delete and its invocation. */
export function messageCost(message: MessageShape, batchSize = 1): Cost {
  const { monthlyCost } = planWorkload({ message, messagesPerSecond: 1, batchSize });
  return {
    tables: monthlyCost.onDemand / secondsPerMonth,
    queues: monthlyCost.queue / secondsPerMonth,
    lambda: lambdaCost(invocation) / batchSize,
    orchestration: 0,
  };
}

function sends(count: number): Cost {
  return { ...free, queues: (count * tablePrices().perMillionQueueRequests) / 1e6 };
}

/** A timeout of a saga that has completed. */
function discardCost(shape: MessageShape, batchSize: number): Cost {
  const { rcu, wcu } = planMessage(shape).discard;
  const { perMillionReadRequestUnits, perMillionWriteRequestUnits } = tablePrices();
  const tables = (rcu * perMillionReadRequestUnits + wcu * perMillionWriteRequestUnits) / 1e6;
  const { queues, lambda } = messageCost({ ...shape, outgoing: 0 }, batchSize);
  return { tables, queues, lambda, orchestration: 0 };
}

/**
 * A saga that is started, asks one service after another and waits for the reply of each, under a timeout of 15
 * minutes at most. The first message and the replies are sent to its queue; what the services do costs the same
 * everywhere, and is left out.
 */
export function sagaProcess(
  steps: number,
  layout: 'records' | 'embedded',
  batchSize = 1,
  sagaCompressionRatio = 0.65,
): Cost {
  const saga: MessageShape = {
    sagaBytes: 1_000,
    sagaCompressionRatio,
    messageBytes: payloadBytes,
    layout,
  };
  const handled = Array.from({ length: steps + 1 }, (_, at) => {
    const isFirst = at === 0;
    const isLast = at === steps;
    return messageCost(
      {
        ...saga,
        liveIds: at,
        sagaChange: isFirst ? 'create' : isLast ? 'complete' : 'update',
        // The first one requests the timeout too.
        outgoing: isFirst ? 2 : isLast ? 0 : 1,
        destinations: isFirst ? 2 : 1,
      },
      batchSize,
    );
  });
  return sumOf([...handled, discardCost(saga, batchSize), sends(steps + 1)]);
}

/** A transition for each step, which is the least; each step sends to a queue with a task token. */
export function stepFunctionsProcess(steps: number): Cost {
  const orchestration = steps * providerPrices.stepFunctions.perTransition;
  return sumOf([{ ...free, orchestration }, sends(steps)]);
}

/** An operation for the start, and for each step and each wait; an invocation at the start, and after each wait. */
export function durableProcess(steps: number): Cost {
  const { perOperation, perGigabyteWritten, perGigabyteMonthRetained } = providerPrices.durableFunctions;
  const gigabytes = ((1 + 2 * steps) * payloadBytes) / gigabyte;
  // 14 days are the default.
  const data = gigabytes * (perGigabyteWritten + (14 / 30) * perGigabyteMonthRetained);
  const lambda = (1 + steps) * lambdaCost(invocation);
  return sumOf([{ ...free, lambda, orchestration: (1 + 2 * steps) * perOperation + data }, sends(steps)]);
}

/** Steps that are calls of 100 ms each, without waiting for a reply; 64 MB are the least that is charged. */
export function expressProcess(steps: number): Cost {
  const { perExpressRequest, perExpressGigabyteSecond } = providerPrices.stepFunctions;
  return { ...free, orchestration: perExpressRequest + steps * 0.1 * (64 / 1024) * perExpressGigabyteSecond };
}
