import { dispatchSteps } from '../../lib/capacity/dispatch-step.ts';
import type { MessageShape, PlannedStep } from '../../lib/capacity/message-shape.ts';
import { type WholeShape, wholeShape } from '../../lib/capacity/shape-defaults.ts';
import { type DeliverySteps, stepOf } from '../../lib/capacity/steps.ts';
import { readUnits, TRANSACTION_FACTOR, writeUnits } from '../../lib/dynamodb/capacity-units.ts';
import { limits } from '../../lib/kernel/limits.ts';

/** The middle of the 200 to 400 bytes that the page gives for the item of metadata. */
const METADATA_BYTES = 300;

/**
 * The steps of a message by the formulas that NServiceBus.Persistence.DynamoDB publishes, with an item for each
 * outgoing message. They are those of the page row by row, also where the service charges otherwise: the mark is
 * 1 WCU whatever the metadata takes, and a lease has no bytes. For clearing, the page gives the minimum, "N WCUs
 * (minimum)", one for each message; charged is each message that is deleted by its size, and so it is here.
 * Source: "DynamoDB persistence: Capacity planning".
 *
 * @param given `layout`, compression and contributions have no formula
 */
export function publishedSteps(given: MessageShape): DeliverySteps {
  const shape = wholeShape({ metadataBytes: METADATA_BYTES, ...given });
  const newMessage = [
    ...dedupCheck(shape, 0),
    ...openSaga(shape),
    ...commit(shape),
    ...(shape.sagaChange === 'none' ? release(shape) : []),
    ...dispatchSteps(shape),
    ...markAndClear(shape),
  ];
  // No saga waits for the message: it is handled as one that changes and sends nothing.
  const missed = { ...shape, sagaChange: 'none', outgoing: 0 } as const;
  return {
    newMessage,
    duplicate: shape.outbox ? dedupCheck(shape, 0) : newMessage,
    redispatch: shape.outbox
      ? [...dedupCheck(shape, shape.outgoing), ...dispatchSteps(shape), ...markAndClear(shape)]
      : newMessage,
    discard: [
      ...dedupCheck(missed, 0),
      ...openSaga({ ...shape, sagaChange: 'create' }),
      ...commit(missed),
      ...markAndClear(missed),
    ],
    failedHandler: [...dedupCheck(shape, 0), ...openSaga(shape), ...release(shape)],
  };
}

/** A query: its sizes are summed, and then rounded up once. */
function dedupCheck({ outbox, metadataBytes, messageBytes }: WholeShape, operations: number): PlannedStep[] {
  if (!outbox) return [];
  const rcu = readUnits(metadataBytes + operations * messageBytes, true);
  return [stepOf({ step: 'dedup check', operation: 'Query', items: 1 + operations, rcu, table: 'outbox' })];
}

function openSaga({ sagaBytes, locking, lockAttempts, sagaChange }: WholeShape): PlannedStep[] {
  if (sagaBytes === 0) return [];
  const bytes = sagaChange === 'create' ? 0 : sagaBytes;
  const common = { items: 1, table: 'saga' } as const;
  if (locking === 'pessimistic') {
    const wcu = lockAttempts * writeUnits(bytes);
    const refusedWcu = wcu - writeUnits(bytes);
    const lock = { step: 'lock', operation: 'UpdateItem', calls: lockAttempts } as const;
    return [stepOf({ ...lock, wcu, refusedWcu, ...common })];
  }
  const rcu = readUnits(bytes, locking !== 'eventual');
  return [stepOf({ step: 'load', operation: 'GetItem', rcu, ...common })];
}

/** Always a transaction, also of one item. */
function commit(shape: WholeShape): PlannedStep[] {
  const { sagaBytes, sagaChange, outbox, metadataBytes, outgoing, messageBytes } = shape;
  const steps: PlannedStep[] = [];
  const common = { step: 'commit', operation: 'TransactWriteItems' } as const;
  if (sagaBytes > 0 && sagaChange !== 'none') {
    steps.push(
      stepOf({ ...common, items: 1, wcu: TRANSACTION_FACTOR * writeUnits(sagaBytes), table: 'saga' }),
    );
  }
  if (outbox) {
    const wcu = TRANSACTION_FACTOR * (writeUnits(metadataBytes) + outgoing * writeUnits(messageBytes));
    const calls = steps.length > 0 ? 0 : 1;
    steps.push(stepOf({ ...common, calls, items: 1 + outgoing, wcu, table: 'outbox' }));
  }
  return steps;
}

function release({ sagaBytes, sagaChange, locking }: WholeShape): PlannedStep[] {
  if (sagaBytes === 0 || locking !== 'pessimistic') return [];
  const isNew = sagaChange === 'create';
  const operation = isNew ? 'DeleteItem' : 'UpdateItem';
  const wcu = isNew ? 1 : writeUnits(sagaBytes);
  return [stepOf({ step: 'release', operation, items: 1, wcu, table: 'saga' })];
}

function markAndClear({ outbox, outgoing, messageBytes }: WholeShape): PlannedStep[] {
  if (!outbox) return [];
  const mark = stepOf({ step: 'mark', operation: 'UpdateItem', items: 1, wcu: 1, table: 'outbox' });
  if (outgoing === 0) return [mark];
  const clear = stepOf({
    step: 'clear',
    operation: 'BatchWriteItem',
    calls: Math.ceil(outgoing / limits.batchWriteItems),
    items: outgoing,
    wcu: outgoing * writeUnits(messageBytes),
    table: 'outbox',
  });
  return [mark, clear];
}
