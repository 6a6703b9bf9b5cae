import * as itemized from './itemized-steps.ts';
import type {
  CapacityUnitsPlan,
  DeliveryPlan,
  MessagePlan,
  MessageShape,
  PlannedStep,
} from './message-shape.ts';
import { packedMessage } from './packed/packed-message.ts';
import { packedRecord } from './packed/packed-record.ts';
import * as packed from './packed/packed-steps.ts';
import { outboxItems } from './rules/shape-limits.ts';
import { assertShape } from './rules/shape-rules.ts';
import type { WholeShape } from './shape-defaults.ts';
import { deliveryOf, sum, unitsOf } from './steps.ts';

export interface PlanMessageOptions {
  /**
   * Whether sagas and outbox share one table: an eventually consistent load is a call of its own then.
   *
   * @default false
   */
  readonly sharedTable?: boolean;
}

/**
 * The calls that one message makes, by itself, and the units that they take.
 *
 * It is exact for the sizes that it is given: those of items, of the outbox record without messages
 * (`metadataBytes`), and of messages as they are kept. Dispatch calls take a message to be as large on its
 * way as it is kept.
 *
 * Sources: "DynamoDB provisioned capacity mode" in the Amazon DynamoDB Developer Guide; for `layout:
 * 'itemized'` "DynamoDB persistence: Capacity planning" in the NServiceBus documentation.
 *
 * @throws SagaboxError `Configuration` that lists every problem; for a shape over a limit of DynamoDB, its
 *   `cause` is the error that a run is refused with
 * @example
 * ```ts
 * import { planMessage } from 'sagabox/capacity';
 *
 * const plan = planMessage({ sagaBytes: 1_000, outgoing: 3, messageBytes: 500 });
 * for (const { step, operation, rcu, wcu } of plan.steps) console.log(step, operation, rcu, wcu);
 * console.log(plan.perMessage.rcu, plan.perMessage.wcu); // 2 8
 * ```
 */
export function planMessage(
  shape: MessageShape,
  { sharedTable = false }: PlanMessageOptions = {},
): MessagePlan {
  const whole = assertShape(shape);
  const ways = waysOf(whole, sharedTable);
  const { steps, calls, rcu, wcu } = ways.fresh;
  return {
    steps,
    newMessage: { rcu, wcu, calls },
    duplicate: ways.duplicate,
    redispatch: ways.redispatch,
    failedHandler: ways.failed,
    discard: ways.discarded,
    ...expectations(whole, ways),
    storedItemBytes: outboxItems(whole),
    dispatchedRecordBytes: dispatchedRecordBytes(whole),
  };
}

/** What becomes of a delivery. */
interface Ways {
  readonly fresh: DeliveryPlan;
  readonly duplicate: DeliveryPlan;
  readonly redispatch: DeliveryPlan;
  readonly failed: DeliveryPlan;
  readonly discarded: DeliveryPlan;
}

function waysOf(shape: WholeShape, sharedTable: boolean): Ways {
  if (shape.layout === 'itemized') {
    return {
      fresh: deliveryOf(itemized.newSteps(shape)),
      duplicate: deliveryOf(itemized.duplicateSteps(shape)),
      redispatch: deliveryOf(itemized.redispatchSteps(shape)),
      failed: deliveryOf(itemized.failedSteps(shape)),
      discarded: deliveryOf(itemized.discardSteps(shape)),
    };
  }
  const message = packedMessage(shape, sharedTable);
  return {
    fresh: deliveryOf(packed.newSteps(message)),
    duplicate: deliveryOf(packed.duplicateSteps(message)),
    redispatch: deliveryOf(packed.redispatchSteps(message)),
    failed: deliveryOf(packed.failedSteps(message)),
    discarded: deliveryOf(packed.discardSteps(message)),
  };
}

/** A conflict repeats the whole set of calls, and so do those that follow. */
function expectations({ duplicateRate, conflictRate, outbox }: WholeShape, { fresh, duplicate }: Ways) {
  const repetitions = 1 / (1 - conflictRate);
  const freshWeight = (1 - duplicateRate) * repetitions;
  // Nothing tells a duplicate from a new message without an outbox.
  const duplicateWeight = duplicateRate * (outbox ? 1 : repetitions);
  const expected = (of: (delivery: DeliveryPlan) => number) =>
    freshWeight * of(fresh) + duplicateWeight * of(duplicate);
  const ofTable = (table: PlannedStep['table']): CapacityUnitsPlan => {
    const units = ({ steps }: DeliveryPlan) => ownUnits(steps.filter((step) => step.table === table));
    return {
      rcu: expected((delivery) => units(delivery).rcu),
      wcu: expected((delivery) => units(delivery).wcu),
    };
  };
  return {
    perMessage: {
      rcu: expected(({ rcu }) => rcu),
      wcu: expected(({ wcu }) => wcu),
      calls: expected(({ calls }) => calls),
    },
    perTable: {
      saga: ofTable('saga'),
      outbox: ofTable('outbox'),
      index: { rcu: 0, wcu: expected(({ steps }) => indexWriteUnits(steps)) },
    },
  };
}

/** Those of the table itself. */
function ownUnits(steps: readonly PlannedStep[]): CapacityUnitsPlan {
  const { rcu, wcu } = unitsOf(steps);
  return { rcu, wcu: wcu - indexWriteUnits(steps) };
}

function indexWriteUnits(steps: readonly PlannedStep[]): number {
  return sum(steps, ({ indexWcu = 0 }) => indexWcu);
}

function dispatchedRecordBytes(shape: WholeShape): number {
  if (!shape.outbox) return 0;
  return shape.layout === 'packed' ? packedRecord(shape).dispatchedBytes : shape.metadataBytes;
}
