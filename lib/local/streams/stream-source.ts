import { setTimeout as delay } from 'node:timers/promises';
import type { InvocationReport } from '../lambda/event-source.ts';
import type { InvocationOutcome } from '../lambda/function-instance.ts';
import { ShardReader, type ShardReaderOptions } from './shard-reader.ts';
import type { Shard, StartingPosition } from './stream-calls.ts';

export interface StreamSourceOptions
  extends Pick<ShardReaderOptions, 'mapping' | 'streams' | 'invoke' | 'now'> {
  /** How long a shard that has no more records is left alone, in real time. */
  readonly pollIntervalMs: number;
  readonly onInvocation: (report: InvocationReport) => void;
  /** Called when the source cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

/** How soon a new shard is found, unless one ends: new ones are children of those that end. */
const shardsIntervalMs = 5_000;

/** Polls the stream of a table and invokes a function with its records, as an event source mapping of Lambda does. */
export class StreamSource {
  readonly #options: StreamSourceOptions;
  readonly #stopping = new AbortController();
  /** Those that are read, or were read to their end. */
  readonly #begun = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #reading = new Set<Promise<void>>();
  #runningInvocations = 0;
  #lastResult = 'No records processed';
  #following: Promise<void> = Promise.resolve();

  constructor(options: StreamSourceOptions) {
    this.#options = options;
  }

  /** Settles what LATEST stands for, and begins to poll. */
  async start(): Promise<void> {
    await this.#begin(await this.#shards(), this.#options.mapping.startingPosition);
    this.#following = this.#followShards().catch((error: unknown) => this.#fail(error));
  }

  /** How many invocations run now. */
  get runningInvocations(): number {
    return this.#runningInvocations;
  }

  /** How the last invocation went, in the words of Lambda. */
  get lastResult(): string {
    return this.#lastResult;
  }

  /** Reads no more records. */
  stopPolling(): void {
    this.#stopping.abort();
  }

  /** Waits until no invocation runs. */
  async stop(): Promise<void> {
    this.stopPolling();
    await this.#following;
    await Promise.all(this.#reading);
  }

  async #followShards(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await Promise.race([...this.#reading, this.#pause(shardsIntervalMs)]);
      if (!this.#stopping.signal.aborted) await this.#begin(await this.#shards(), 'TRIM_HORIZON');
    }
  }

  #shards(): Promise<Shard[]> {
    const { streams, mapping } = this.#options;
    return streams.shards(mapping.streamArn, this.#stopping.signal);
  }

  /** Begins with the shards that are new, each after its parent has ended; LATEST is the end of all that are there. */
  async #begin(shards: readonly Shard[], position: StartingPosition): Promise<void> {
    const ids = new Set(shards.map(({ ShardId: id }) => id));
    const awaitsParent = ({ ParentShardId: parent = '' }: Shard): boolean =>
      position === 'TRIM_HORIZON' && ids.has(parent) && !this.#ended.has(parent);
    for (const shard of shards) {
      if (this.#begun.has(shard.ShardId) || awaitsParent(shard)) continue;
      const reader = this.#readerOf(shard.ShardId, position);
      await reader.open();
      this.#begun.add(shard.ShardId);
      const reading = this.#read(reader, shard).finally(() => this.#reading.delete(reading));
      this.#reading.add(reading);
    }
  }

  async #read(reader: ShardReader, { ShardId: id }: Shard): Promise<void> {
    try {
      await reader.read();
      this.#ended.add(id);
    } catch (error) {
      this.#fail(error);
    }
  }

  #readerOf(shardId: string, position: StartingPosition): ShardReader {
    const { mapping, streams, now, pollIntervalMs } = this.#options;
    return new ShardReader(shardId, position, {
      ...{ mapping, streams, now },
      invoke: (event) => this.#invoke(event),
      pause: () => this.#pause(pollIntervalMs),
      signal: this.#stopping.signal,
    });
  }

  async #invoke(event: unknown): Promise<InvocationOutcome> {
    const { invoke, onInvocation, mapping } = this.#options;
    this.#runningInvocations += 1;
    const outcome = await invoke(event).finally(() => {
      this.#runningInvocations -= 1;
    });
    this.#lastResult = outcome.kind === 'result' ? 'OK' : 'PROBLEM: Function call failed';
    onInvocation({ functionName: mapping.functionName, records: [], outcome, acknowledgedMessageIds: [] });
    return outcome;
  }

  /** In real time; a stop ends it. */
  #pause(milliseconds: number): Promise<unknown> {
    return delay(milliseconds, undefined, this.#stopping).catch(() => undefined);
  }

  /** What a stop cuts off is no failure. */
  #fail(error: unknown): void {
    if (!this.#stopping.signal.aborted) this.#options.onFailure(error);
  }
}
