/** The parts of a run, each told with its seconds when it is over. */
export class Phases {
  readonly seconds: Record<string, number> = {};
  readonly #say: (line: string) => void;
  readonly #startedAt = performance.now();

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Since it was made. */
  get secondsOfAll(): number {
    return Number(((performance.now() - this.#startedAt) / 1_000).toFixed(1));
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const seconds = (performance.now() - startedAt) / 1_000;
      this.seconds[name] = Number(seconds.toFixed(1));
      this.#say(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
    }
  }
}
