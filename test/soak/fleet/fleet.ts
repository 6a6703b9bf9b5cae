import { Random } from '../../../bench/cost/random.ts';
import type { FaultRates } from '../faults/fault-kinds.ts';
import type { WorkerBundle } from './bundle-worker.ts';
import { Tally } from './tally.ts';
import { type WorkerEnd, WorkerProcess } from './worker-process.ts';
import type { Sample, WorkerRequest, WorkerSetup } from './worker-protocol.ts';

export interface FleetOptions {
  readonly bundle: WorkerBundle;
  readonly setup: Omit<WorkerSetup, 'seed'>;
  readonly workers: number;
  readonly seed: number;
}

/** The worker processes: one that lives, and others that are killed and replaced. */
export class Fleet {
  readonly tally = new Tally();
  /** Workers that ended though nobody killed them, by the last that they wrote. */
  readonly unexplainedEnds: string[] = [];
  readonly #options: FleetOptions;
  readonly #random: Random;
  readonly #watched: WorkerProcess;
  #mortals: WorkerProcess[] = [];
  /** What a worker that comes next is to do. */
  #order: WorkerRequest | undefined;
  #stopping = false;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#watched = this.#start({ ...options.setup.rates, death: 0 });
    for (let worker = 1; worker < options.workers; worker += 1) this.#addMortal();
  }

  get processIds(): number[] {
    return [this.#watched, ...this.#mortals].flatMap(({ processId }) => processId ?? []);
  }

  async ready(): Promise<void> {
    await Promise.all([this.#watched, ...this.#mortals].map((worker) => worker.ready));
  }

  /** @param faults with which the workers take messages */
  work(faults: boolean): void {
    this.#order = { kind: 'work', faults };
    this.#askAll(this.#order);
  }

  /** No faults from now on. */
  calm(): void {
    this.#order = { kind: 'work', faults: false };
    this.#askAll({ kind: 'calm' });
  }

  /** Kills one of those that are killed; another one takes its place. */
  killOne(): void {
    const chosen = this.#mortals[this.#random.below(this.#mortals.length)];
    if (chosen === undefined) return;
    this.tally.add('kills at random times');
    chosen.kill();
  }

  /** Lets one of the workers run the recovery. */
  recoverOnce(): void {
    const all = [this.#watched, ...this.#mortals];
    all[this.#random.below(all.length)]?.ask({ kind: 'recover' });
  }

  /** Lets the worker that lives come to rest for a moment. @returns what it holds then */
  async sample(): Promise<Sample> {
    const sample = this.#assertThere(await this.#watched.pause());
    if (this.#order !== undefined) this.#watched.ask(this.#order);
    return sample;
  }

  /** @returns what the worker that lives holds at rest */
  async pause(): Promise<Sample> {
    this.#order = undefined;
    const [sample] = await Promise.all([this.#watched, ...this.#mortals].map((worker) => worker.pause()));
    return this.#assertThere(sample);
  }

  /** Ends all, each by its own process id. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const all = [this.#watched, ...this.#mortals];
    for (const worker of all) worker.kill();
    await Promise.all(all.map((worker) => worker.ended));
  }

  #assertThere(sample: Sample | undefined): Sample {
    if (sample !== undefined) return sample;
    throw new Error(`The watched worker is gone: ${this.unexplainedEnds.join('; ')}`);
  }

  #askAll(request: WorkerRequest): void {
    for (const worker of [this.#watched, ...this.#mortals]) worker.ask(request);
  }

  #start(rates: FaultRates, onEnd: () => void = () => {}): WorkerProcess {
    const { bundle, setup } = this.#options;
    return new WorkerProcess({
      bundle,
      setup: { ...setup, rates, seed: this.#random.below(2 ** 32) },
      onCounts: (counts) => this.tally.addAll(counts),
      onEnd: (end) => {
        this.#note(end);
        onEnd();
      },
    });
  }

  #addMortal(): void {
    const worker: WorkerProcess = this.#start(this.#options.setup.rates, () => {
      if (this.#stopping) return;
      this.#mortals = this.#mortals.filter((other) => other !== worker);
      this.#addMortal();
    });
    this.#mortals.push(worker);
    const order = this.#order;
    if (order !== undefined) worker.ask(order);
  }

  #note({ signal, output }: WorkerEnd): void {
    if (this.#stopping) return;
    if (signal === 'SIGKILL') this.tally.add('deaths');
    else this.unexplainedEnds.push(output.trim() || `signal ${signal}`);
  }
}
