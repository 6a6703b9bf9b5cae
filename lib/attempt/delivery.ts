import { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import type { MetricsRecorder } from '../observe/metrics/emf-metrics.ts';
import type { MessageSpan } from '../observe/tracing/message-span.ts';
import type { CommitTerms, MergeOutcome } from '../outbox/commit/committer.ts';
import type { RecordReference } from '../outbox/record.ts';
import { AttemptResult } from './attempt-result.ts';
import type { BatchPlace } from './batch-place.ts';
import type { DeliveryOutcome } from './delivery-outcome.ts';
import type { DeliveryDeadline } from './invocation-deadline.ts';

interface DeliveryTerms {
  readonly deadline: DeliveryDeadline;
  /** @default - it has no others beside it: a request, or a message outside of `sqsBatch` */
  readonly batch?: BatchPlace;
  /** The metrics of the invocation. @default - sagabox emits none */
  readonly metrics?: MetricsRecorder | undefined;
  /** @default - it has been warned of nothing */
  readonly warned?: Delivery['warned'] | undefined;
}

/**
 * One SQS record's way through an invocation, over all attempts at it. A request, and a message outside of
 * `sqsBatch`, have one attempt.
 */
export class Delivery implements CommitTerms {
  /** Counts the capacity units of all attempts. */
  readonly meter = new CapacityMeter();
  readonly deadline: DeliveryDeadline;
  /** The place of the delivery in its batch; `undefined` outside of a batch. */
  readonly batch: BatchPlace | undefined;
  /** The metrics of the invocation; `undefined` if sagabox emits none. */
  readonly metrics: MetricsRecorder | undefined;
  /** The warnings that an invocation logs only once, and has logged. */
  readonly warned: Set<'replay'>;
  /** The outcomes of shared commits that are not reported yet. */
  readonly merges: MergeOutcome[] = [];
  #result = new AttemptResult(false);
  #sentIds: Set<string> | undefined;
  #sentOf: string | undefined;
  #ended = false;

  constructor({ deadline, batch, metrics, warned = new Set() }: DeliveryTerms) {
    this.deadline = deadline;
    this.batch = batch;
    this.metrics = metrics;
    this.warned = warned;
  }

  /**
   * The ids of the operations of an outbox record that were sent in this delivery: a retry sends the rest, or
   * only marks. An attempt gives these ids to other operations only if no earlier attempt was committed and
   * sent any. A message of two sagas has records with operations of the same ids in the items of both.
   */
  sentIdsOf({ sagaItem }: RecordReference): Set<string> {
    if (this.#sentIds === undefined || this.#sentOf !== sagaItem?.partition) this.#sentIds = new Set();
    this.#sentOf = sagaItem?.partition;
    return this.#sentIds;
  }

  beginAttempt(isFirst: boolean, span?: MessageSpan): void {
    this.#result = new AttemptResult(isFirst, span);
  }

  /** The result of the present attempt. */
  get result(): AttemptResult {
    return this.#result;
  }

  get isFirstAttempt(): boolean {
    return this.#result.isFirst;
  }

  get span(): MessageSpan | undefined {
    return this.#result.span;
  }

  onMerge(outcome: MergeOutcome, together: readonly CommitTerms[] = []): void {
    this.merges.push(outcome);
    const others = together.flatMap(({ span }) => (span === this.span ? [] : (span ?? [])));
    this.span?.merged(others);
  }

  /** @param outcome `undefined` if the delivery threw: its record comes back then, too */
  end(outcome?: DeliveryOutcome): void {
    this.#ended = true;
    this.batch?.end(outcome);
  }

  /** Whether the delivery has ended: a call that is answered after that must not start another one. */
  get isOver(): boolean {
    return this.#ended;
  }

  /** @throws Error after the end of the delivery, when no caller waits for it any more */
  assertOngoing(): void {
    if (this.#ended) throw new Error('The message was returned before this call had its answer');
  }
}
