import type { SQSRecord } from 'aws-lambda';
import { comesBack, type DeliveryOutcome, type Returned } from '../attempt/delivery-outcome.ts';
import { FifoPlace } from '../attempt/fifo-place.ts';
import { mapConcurrently } from '../kernel/async/map-concurrently.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { failureCode } from '../messages/failures/failure-facts.ts';
import { messageGroupIdOf, queueArnOf } from '../messages/record-fields.ts';
import { isNotConfigured } from '../recoverability/policy.ts';

export interface ReturnedMessage extends Returned {
  readonly record: SQSRecord;
}

/** @param order the place of a record that others of its FIFO group follow or precede */
type Deliver = (record: SQSRecord, order?: FifoPlace) => Promise<DeliveryOutcome>;

/**
 * Delivers each message of a batch by itself, several at a time; those of one FIFO group one after another.
 *
 * @param deliver if it throws, only that message is returned
 * @returns the messages to return, with those behind them in the same FIFO group. The latter come back at the
 *   same time, so that the order holds when SQS delivers them again. Those behind one that leaves the queue
 *   are run: it does not come back to be ahead of them, and to return them would only use up their
 *   deliveries.
 */
export async function processBatch(
  records: readonly SQSRecord[],
  concurrency: number,
  deliver: Deliver,
): Promise<ReturnedMessage[]> {
  const returned = await mapConcurrently(lanesOf(records), concurrency, (lane) => runLane(lane, deliver));
  return returned.flat();
}

async function runLane(lane: readonly SQSRecord[], deliver: Deliver): Promise<ReturnedMessage[]> {
  const [first] = lane;
  if (first !== undefined && lane.length === 1) {
    const outcome = await deliver(first).catch(failed);
    return outcome === 'acknowledged' ? [] : [{ ...outcome, record: first }];
  }
  return await runFifoGroup(lane, deliver);
}

async function runFifoGroup(lane: readonly SQSRecord[], deliver: Deliver): Promise<ReturnedMessage[]> {
  const outcomes = await Promise.all(inOrder(lane, deliver));
  const returned: ReturnedMessage[] = [];
  let stopped: Returned | undefined;
  for (const [index, sqsRecord] of lane.entries()) {
    const outcome = outcomes[index];
    if (stopped) returned.push({ retryInSeconds: stopped.retryInSeconds, record: sqsRecord });
    else if (outcome !== undefined && outcome !== 'acknowledged') {
      returned.push({ ...outcome, record: sqsRecord });
      if (comesBack(outcome)) stopped = outcome;
    }
  }
  return returned;
}

/** @returns the outcome of each record; `undefined` for one that was not started */
function inOrder(lane: readonly SQSRecord[], deliver: Deliver): Promise<DeliveryOutcome | undefined>[] {
  let ahead: FifoPlace | undefined;
  return lane.map(async (sqsRecord) => {
    const place = new FifoPlace(ahead);
    const waiting = ahead?.following;
    ahead = place;
    if (waiting) await waiting;
    const outcome = place.isStopped ? undefined : await deliver(sqsRecord, place).catch(failed);
    place.end(outcome !== undefined && comesBack(outcome));
    return outcome;
  });
}

function failed(error: unknown): Returned {
  return { retryInSeconds: undefined, failure: error };
}

function lanesOf(records: readonly SQSRecord[]): SQSRecord[][] {
  const lanes = new Map<string, SQSRecord[]>();
  for (const sqsRecord of records) {
    // Standard queues carry a group too, when a producer sets one for fair queues: there it implies no order.
    const group = queueArnOf(sqsRecord)?.endsWith('.fifo') ? messageGroupIdOf(sqsRecord) : undefined;
    const name = group === undefined ? sqsRecord.messageId : `group ${group}`;
    const lane = lanes.get(name);
    if (lane) lane.push(sqsRecord);
    else lanes.set(name, [sqsRecord]);
  }
  return [...lanes.values()];
}

const NAMED_FAILURES = 5;

/**
 * The error that the invocation throws, so that Lambda counts it: a missing setting or, if the option asks
 * for it, a batch in which every message failed.
 */
export function batchError(
  returned: readonly Returned[],
  messages: number,
  throwOnFullBatchFailure: boolean,
): SagaboxError | undefined {
  // A handler may throw undefined.
  const failures = returned.flatMap((each) => ('failure' in each ? [each.failure] : []));
  const notConfigured = failures.find(isNotConfigured);
  if (notConfigured) return notConfigured;
  if (!throwOnFullBatchFailure || failures.length < messages) return undefined;
  const codes = [...new Set(failures.map(failureCode))];
  const named = codes.length > NAMED_FAILURES ? [...codes.slice(0, NAMED_FAILURES), '…'] : codes;
  return new SagaboxError('BatchFailed', { failed: messages, failures: named }, { cause: failures[0] });
}
