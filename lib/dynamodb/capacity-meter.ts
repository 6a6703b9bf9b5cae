export interface CapacityUnits {
  readUnits: number;
  writeUnits: number;
}

/** Sums what the calls made for one message consumed. */
export class CapacityMeter {
  /** Adds up what several meters count, such as those of all attempts at one message. */
  readonly parent: CapacityMeter | undefined;
  #readUnits = 0;
  #writeUnits = 0;

  constructor(parent?: CapacityMeter) {
    this.parent = parent;
  }

  addRead(units: number | undefined): void {
    this.#readUnits += units ?? 0;
    this.parent?.addRead(units);
  }

  addWrite(units: number | undefined): void {
    this.#writeUnits += units ?? 0;
    this.parent?.addWrite(units);
  }

  get total(): CapacityUnits {
    return { readUnits: this.#readUnits, writeUnits: this.#writeUnits };
  }
}
