import type { StreamEventRecord } from '../../../lib/local/streams/stream-event.ts';
import { Random } from '../../support/random.ts';
import { Tally } from '../../support/tally.ts';
import type { FaultRates } from '../faults/fault-kinds.ts';
import type { WorkerBundle } from './bundle-worker.ts';
import { Journal } from './journal.ts';
import { type WorkerEnd, WorkerProcess } from './worker-process.ts';
import type { RelayFinds, Sample, WorkerRequest, WorkerSetup } from './worker-protocol.ts';

export interface FleetOptions {
  readonly bundle: WorkerBundle;
  readonly setup: Omit<WorkerSetup, 'seed' | 'isAhead'>;
  readonly workers: number;
  /** Where counts are added, beside those of others. */
  readonly tally?: Tally;
  readonly seed: number;
  /** Ends what waits for a worker. */
  readonly signal: AbortSignal;
  readonly answerTimeoutMs?: number;
}

/** The worker processes: one that lives, and others that are killed and replaced. */
export class Fleet {
  readonly tally: Tally;
  /** What workers could not do, and the last output of those that ended unasked. */
  readonly failures: string[] = [];
  #cutOffs: string[] = [];
  readonly #options: FleetOptions;
  readonly #random: Random;
  readonly #journal: Journal;
  #watched: WorkerProcess;
  #maxInvocationMs = 0;
  #mortals: WorkerProcess[] = [];
  /** What a worker that comes next is to do. */
  #order: WorkerRequest | undefined;
  #releases = 0;
  #stopping = false;
  /** How many wait for workers to come to rest. */
  #pauses = 0;
  /** Of workers that were started. */
  #started: number;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#journal = new Journal(options.setup.journalFile);
    this.tally = options.tally ?? new Tally();
    this.#random = new Random(options.seed);
    this.#started = this.#random.below(2);
    this.#watched = this.#startWatched();
    for (let worker = 1; worker < options.workers; worker += 1) this.#addMortal();
  }

  get processIds(): number[] {
    return [this.#watched, ...this.#mortals].flatMap(({ processId }) => processId ?? []);
  }

  async ready(): Promise<void> {
    await Promise.all([this.#watched, ...this.#mortals].map((worker) => worker.ready()));
    if (this.failures.length > 0) throw new Error(this.failures.join('; '));
  }

  /** Lets workers at rest take messages, with faults: as the next release, a deduplication period later. */
  deploy(): void {
    this.#order = { kind: 'work', faults: true, release: this.#releases };
    this.#releases += 1;
    this.#askAll(this.#order);
  }

  calm(): void {
    if (this.#order?.kind === 'work') this.#order = { ...this.#order, faults: false };
    this.#askAll({ kind: 'calm' });
  }

  /** Kills one of those that are killed; another one takes its place. */
  killOne(): void {
    const chosen = this.#mortals[this.#random.below(this.#mortals.length)];
    if (chosen === undefined) return;
    this.tally.add('kills at random times');
    chosen.kill();
  }

  /** As far as workers told of them. */
  get relaysEnded(): number {
    return this.tally.of('relay runs') + this.tally.of('relay runs that failed');
  }

  relayOnce(finds: RelayFinds = 'any'): void {
    this.#anyWorker().ask({ kind: 'relay', finds });
  }

  /** @returns whether a worker took the batch of changes; none is given to workers that are to come to rest */
  async watch(batch: readonly StreamEventRecord[]): Promise<boolean> {
    return this.#pauses === 0 && (await this.#anyWorker().watch(batch));
  }

  #anyWorker(): WorkerProcess {
    const all = [this.#watched, ...this.#mortals];
    return all[this.#random.below(all.length)] ?? this.#watched;
  }

  async #paused(workers: readonly WorkerProcess[]): Promise<(Sample | undefined)[]> {
    this.#pauses += 1;
    try {
      return await Promise.all(workers.map((worker) => worker.pause()));
    } finally {
      this.#pauses -= 1;
    }
  }

  /**
   * Lets the worker that lives come to rest for a moment.
   *
   * @returns what it holds then
   * @throws when it does not tell that
   */
  async sample(): Promise<Sample> {
    const watched = this.#watched;
    const [paused] = await this.#paused([watched]);
    // It was cut off meanwhile, and replaced.
    if (paused === undefined && watched !== this.#watched) return await this.sample();
    const sample = this.#assertThere(paused);
    if (this.#order !== undefined) this.#watched.ask(this.#order);
    return sample;
  }

  /**
   * Lets all come to rest.
   *
   * @returns what the worker that lives holds then
   * @throws when it does not tell that
   */
  async pause(): Promise<Sample> {
    this.#order = undefined;
    const watched = this.#watched;
    const [sample] = await this.#paused([watched, ...this.#mortals]);
    if (sample === undefined && watched !== this.#watched) return await this.pause();
    return this.#assertThere(sample);
  }

  /** Ends all, each by its own process id. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const all = [this.#watched, ...this.#mortals];
    for (const worker of all) worker.kill();
    await Promise.all(all.map((worker) => worker.ended()));
    this.#journal.close();
  }

  /** What invocations ran into since the last call; begins anew. */
  takeInvocations(): { readonly maxInvocationMs: number; readonly cutOff: readonly string[] } {
    const taken = { maxInvocationMs: this.#maxInvocationMs, cutOff: this.#cutOffs };
    this.#maxInvocationMs = 0;
    this.#cutOffs = [];
    return taken;
  }

  #assertThere(sample: Sample | undefined): Sample {
    if (sample !== undefined) return sample;
    throw new Error(`The watched worker did not tell what it holds: ${this.failures.join('; ')}`);
  }

  #askAll(request: WorkerRequest): void {
    for (const worker of [this.#watched, ...this.#mortals]) worker.ask(request);
  }

  #startWatched(): WorkerProcess {
    return this.#start({ ...this.#options.setup.rates, death: 0 }, ({ cutOff }) => {
      if (cutOff !== undefined) this.#watched = this.#ordered(this.#startWatched());
    });
  }

  #start(rates: FaultRates, onEnd: (end: WorkerEnd) => void = () => {}): WorkerProcess {
    const { bundle, setup, signal, answerTimeoutMs } = this.#options;
    // As in a fleet of which a part is a deployment behind: what one stores, another one dispatches.
    this.#started += 1;
    const isAhead = this.#started % 2 === 0;
    const worker: WorkerProcess = new WorkerProcess({
      bundle,
      setup: { ...setup, isAhead, rates, seed: this.#random.below(2 ** 32) },
      signal,
      ...(answerTimeoutMs !== undefined && { answerTimeoutMs }),
      onCounts: (counts, maxInvocationMs) => {
        this.tally.addAll(counts);
        this.#maxInvocationMs = Math.max(this.#maxInvocationMs, maxInvocationMs);
      },
      onFailure: (failure) => this.failures.push(failure),
      onEnd: (end) => {
        if (this.#stopping) return;
        this.#note(worker.processId, end);
        onEnd(end);
      },
    });
    return worker;
  }

  #addMortal(): void {
    const worker: WorkerProcess = this.#start(this.#options.setup.rates, (end) => {
      this.#mortals = this.#mortals.filter((other) => other !== worker);
      // One that ends by itself would do so again.
      if (isKilled(end)) this.#addMortal();
    });
    this.#mortals.push(this.#ordered(worker));
  }

  #ordered(worker: WorkerProcess): WorkerProcess {
    if (this.#order !== undefined) worker.ask(this.#order);
    return worker;
  }

  #note(processId: number | undefined, end: WorkerEnd): void {
    const cause = end.cutOff === undefined ? (end.signal ?? 'itself') : 'its time limit';
    this.#journal.note(`process ${processId} was ended by ${cause}`);
    if (end.cutOff !== undefined) this.#cutOffs.push(end.cutOff);
    else if (isKilled(end)) this.tally.add('deaths');
    else this.failures.push(`a worker ended though nobody killed it: ${end.output.trim() || end.signal}`);
  }
}

function isKilled({ signal }: WorkerEnd): boolean {
  return signal === 'SIGKILL';
}
