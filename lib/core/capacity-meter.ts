/** Capacity units as DynamoDB reports them. */
export interface CapacityUnits {
  readUnits: number;
  writeUnits: number;
}

/** Sums what the calls made for one message consumed. */
export class CapacityMeter {
  #readUnits = 0;
  #writeUnits = 0;

  addRead(units: number | undefined): void {
    this.#readUnits += units ?? 0;
  }

  addWrite(units: number | undefined): void {
    this.#writeUnits += units ?? 0;
  }

  get total(): CapacityUnits {
    return { readUnits: this.#readUnits, writeUnits: this.#writeUnits };
  }
}
