import { assertOptionKinds, trueOrFalse } from '../kernel/checks/checks.ts';
import { INBOX_ENTRY_BYTES } from '../outbox/embedded/inbox.ts';
import { embeddedItemBytes } from './embedded/embedded-item-bytes.ts';
import { embeddedSteps } from './embedded/embedded-steps.ts';
import type {
  CapacityUnitsPlan,
  DeliveryPlan,
  MessagePlan,
  MessageShape,
  PlannedStep,
} from './message-shape.ts';
import { plannedRecord } from './records/planned-record.ts';
import { recordSteps } from './records/record-steps.ts';
import { outboxItems } from './rules/shape-limits.ts';
import { assertShape } from './rules/shape-rules.ts';
import type { WholeShape } from './shape-defaults.ts';
import { deliveryOf, sum, sumOfUnits } from './steps.ts';

export interface PlanMessageOptions {
  /**
   * Whether sagas and outbox share one table: then an eventually consistent load is a call of its own.
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
 * Source: "DynamoDB provisioned capacity mode" in the Amazon DynamoDB Developer Guide.
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
export function planMessage(shape: MessageShape, options: PlanMessageOptions = {}): MessagePlan {
  assertOptionKinds(
    'planMessage',
    options,
    { sharedTable: trueOrFalse },
    { page: 'docs/reference/capacity.md' },
  );
  const { sharedTable = false } = options;
  const whole = assertShape(shape);
  const stepsOf = (whole.layout === 'embedded' ? embeddedSteps : recordSteps)(whole, sharedTable);
  const fresh = deliveryOf(stepsOf.newMessage);
  const duplicate = deliveryOf(stepsOf.duplicate);
  const { steps, ...newMessage } = fresh;
  return {
    steps,
    newMessage,
    duplicate,
    redispatch: deliveryOf(stepsOf.redispatch),
    failedHandler: deliveryOf(stepsOf.failedHandler),
    discard: deliveryOf(stepsOf.discard),
    ...expectations(whole, fresh, duplicate),
    storedItemBytes: outboxItems(whole),
    dispatchedRecordBytes: dispatchedRecordBytes(whole),
  };
}

/** A conflict repeats the whole set of calls, and so do those that follow. */
function expectations(
  { duplicateRate, conflictRate, outbox }: WholeShape,
  fresh: DeliveryPlan,
  duplicate: DeliveryPlan,
): Pick<MessagePlan, 'perMessage' | 'perTable'> {
  const repetitions = 1 / (1 - conflictRate);
  const freshWeight = (1 - duplicateRate) * repetitions;
  // Nothing tells a duplicate from a new message without an outbox.
  const duplicateWeight = duplicateRate * (outbox ? 1 : repetitions);
  const expected = (of: (delivery: DeliveryPlan) => number) =>
    freshWeight * of(fresh) + duplicateWeight * of(duplicate);
  const ofTable = (table: PlannedStep['table']): CapacityUnitsPlan => {
    const units = ({ steps }: DeliveryPlan) => sumOfUnits(steps.filter((step) => step.table === table));
    return {
      rcu: expected((delivery) => units(delivery).rcu),
      wcu: expected((delivery) => units(delivery).wcu),
    };
  };
  const refusedCommits = (1 - duplicateRate) * (repetitions - 1) * commitWriteUnits(fresh.steps);
  const refusedWcu = refusedCommits + expected(({ steps }) => refusedWriteUnits(steps));
  return {
    perMessage: {
      rcu: expected(({ rcu }) => rcu),
      wcu: expected(({ wcu }) => wcu),
      calls: expected(({ calls }) => calls),
      ...(refusedWcu > 0 && { refusedWcu }),
    },
    perTable: { saga: ofTable('saga'), outbox: ofTable('outbox') },
  };
}

function refusedWriteUnits(steps: readonly PlannedStep[]): number {
  return sum(steps, ({ refusedWcu = 0 }) => refusedWcu);
}

/** What a conflict refuses. */
function commitWriteUnits(steps: readonly PlannedStep[]): number {
  return sum(steps, ({ step, wcu }) => (step === 'commit' ? wcu : 0));
}

function dispatchedRecordBytes(shape: WholeShape): number {
  if (!shape.outbox) return 0;
  const record = shape.layout === 'embedded' ? embeddedItemBytes(shape).record : plannedRecord(shape);
  return record === undefined ? INBOX_ENTRY_BYTES : record.dispatchedBytes;
}
