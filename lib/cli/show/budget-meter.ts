import { CapacityMeter } from '../../dynamodb/capacity-meter.ts';

/** Ends what reads with its signal once so many units are read. */
export class BudgetMeter extends CapacityMeter {
  readonly signal: AbortSignal;
  readonly #spent = new AbortController();
  readonly #maxReadUnits: number;

  constructor(maxReadUnits: number, interrupt: AbortSignal) {
    super();
    this.#maxReadUnits = maxReadUnits;
    this.signal = AbortSignal.any([this.#spent.signal, interrupt]);
  }

  override addRead(units: number | undefined): void {
    super.addRead(units);
    if (this.total.readUnits >= this.#maxReadUnits) this.#spent.abort();
  }
}
