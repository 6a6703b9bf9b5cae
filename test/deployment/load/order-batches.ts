/** Every third order goes to the sample. */
const shareOfSample = 1 / 3;
/** Of a batch, those whose messages wait for what is updated. */
const shareThatWaits = 1 / 3;

interface Orders {
  readonly sample: readonly string[];
  readonly proof: readonly string[];
}

/** The orders of a run by app, in batches as equal as may be. */
export class OrderBatches {
  readonly #count: number;
  readonly #orders: Orders;
  #index = 0;

  constructor(orders: number, count: number) {
    const ofSample = Math.floor(orders * shareOfSample);
    this.#count = count;
    this.#orders = { sample: names('sample', ofSample), proof: names('order', orders - ofSample) };
  }

  next(): { readonly first: Orders; readonly waiting: Orders } {
    const sample = this.#batch(this.#orders.sample);
    const proof = this.#batch(this.#orders.proof);
    this.#index += 1;
    return {
      first: { sample: sample.slice(0, atOnce(sample)), proof: proof.slice(0, atOnce(proof)) },
      waiting: { sample: sample.slice(atOnce(sample)), proof: proof.slice(atOnce(proof)) },
    };
  }

  /** The last one gets what is left over. */
  #batch(all: readonly string[]): string[] {
    const edge = (index: number) => Math.floor((all.length * index) / this.#count);
    return all.slice(edge(this.#index), edge(this.#index + 1));
  }
}

const atOnce = ({ length }: readonly string[]) => Math.floor(length * (1 - shareThatWaits));

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(4, '0')}`);
