import { backoffDelayMs } from '../../kernel/async/retry-with-backoff.ts';
import { acknowledgedMessageIds } from '../lambda/batch-response.ts';
import type { InvocationOutcome, Invoke } from '../lambda/function-instance.ts';
import type { StartingPosition, StreamCalls } from './stream-calls.ts';
import { type StreamEventRecord, streamEventRecord } from './stream-event.ts';
import type { StreamMapping } from './stream-mapping.ts';

export interface ShardReaderOptions {
  readonly mapping: StreamMapping;
  readonly streams: Pick<StreamCalls, 'shards' | 'iterator' | 'records'>;
  readonly invoke: Invoke;
  /** Milliseconds on the clock of the queues. */
  readonly now: () => number;
  /** Waits until it is worth to look again; for a moment of real time, as the clock of the queues may jump. */
  readonly pause: () => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Of a failed batch, on the clock of the queues. Without jitter: a shard has no contenders. */
const backoff = { baseDelayMs: 1_000, maxDelayMs: 60_000 } as const;
const noJitter = 1;

/**
 * Hands the records of one shard to a function, in their order, one batch at a time. A batch that fails comes
 * again until it succeeds.
 *
 * Source: "Using AWS Lambda with Amazon DynamoDB".
 */
export class ShardReader {
  readonly #options: ShardReaderOptions;
  readonly #shardId: string;
  /** What was read and not handed over yet. */
  #records: StreamEventRecord[] = [];
  #position: StartingPosition | { readonly sequenceNumber: string };
  #iterator: string | undefined;

  constructor(shardId: string, position: StartingPosition, options: ShardReaderOptions) {
    this.#options = options;
    this.#shardId = shardId;
    this.#position = position;
  }

  /** Settles from which record on it reads. */
  async open(): Promise<void> {
    const { streams, mapping, signal } = this.#options;
    this.#iterator = await streams.iterator(mapping.streamArn, this.#shardId, this.#position, signal);
  }

  /** Reads until the end of the shard, or until the signal is aborted. */
  async read(): Promise<void> {
    while (!this.#options.signal.aborted) {
      const batch = await this.#nextBatch();
      if (batch.length === 0) return;
      await this.#handOver(batch);
    }
  }

  /** As many records as fill a batch, or come within the batching window; none at the end. */
  async #nextBatch(): Promise<StreamEventRecord[]> {
    const { mapping, now, pause, signal } = this.#options;
    let windowEndsMs: number | undefined;
    while (!signal.aborted && this.#iterator !== undefined && this.#records.length < mapping.batchSize) {
      const isIdle = (await this.#readMore(this.#iterator)) === 0;
      if (this.#records.length > 0) windowEndsMs ??= now() + mapping.batchingWindowMs;
      if (windowEndsMs !== undefined && now() >= windowEndsMs) break;
      if (isIdle) await pause();
    }
    return signal.aborted ? [] : this.#records.splice(0, mapping.batchSize);
  }

  /** @returns how many records came, also of those that the filter drops */
  async #readMore(iterator: string): Promise<number> {
    const { streams, mapping, signal } = this.#options;
    const read = await streams.records(iterator, signal);
    if (read === undefined) {
      await this.open();
      return 0;
    }
    const { Records: records, NextShardIterator: next } = read;
    const last = records.at(-1);
    if (last !== undefined) this.#position = { sequenceNumber: last.dynamodb.SequenceNumber };
    this.#iterator = next;
    const events = records.map((record) => streamEventRecord(record, mapping.streamArn));
    this.#records.push(...events.filter(mapping.matches));
    return records.length;
  }

  async #handOver(batch: readonly StreamEventRecord[]): Promise<void> {
    const { invoke, now, pause, signal } = this.#options;
    let left = batch;
    for (let retries = 0; ; retries += 1) {
      const handled = this.#handledOf(left, await invoke({ Records: left }));
      left = left.slice(handled);
      if (left.length === 0) return;
      if (handled > 0) retries = 0;
      const againMs = now() + backoffDelayMs(retries, backoff, noJitter);
      while (now() < againMs && !signal.aborted) await pause();
      if (signal.aborted) return;
    }
  }

  /** How many records, from the first one on, do not come again: those before the first one that failed. */
  #handledOf(records: readonly StreamEventRecord[], outcome: InvocationOutcome): number {
    const ids = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
    const handled = acknowledgedMessageIds(outcome, ids, this.#options.mapping.reportsBatchItemFailures);
    const failed = ids.findIndex((id) => !handled.includes(id));
    return failed === -1 ? ids.length : failed;
  }
}
