/**
 * Items of one kind, by their partition key. Each is visible as soon as it is written, unless whoever drives
 * the storage has reads given its earlier image for a while: DynamoDB shows what a transaction writes item by
 * item, and reads beside it, also those of one batch, may find one item new and another one old. Conditions
 * of writes always see the latest.
 */
export class MemoryItems<Item> extends Map<string, Item> {
  readonly #earlier = new Map<string, Item | undefined>();

  /** What a read is given; `undefined` if there is no item. */
  read(key: string): Item | undefined {
    return this.#earlier.has(key) ? this.#earlier.get(key) : this.get(key);
  }

  /** Of all that a read may find. */
  get readableKeys(): readonly string[] {
    return [...new Set([...this.keys(), ...this.#earlier.keys()])];
  }

  /** Has reads given an earlier image, until the item is shown or written. */
  hide(key: string, earlier: Item | undefined): void {
    this.#earlier.set(key, earlier);
  }

  /**
   * What the condition of a write sees. No transaction is under way on the item then, so that from here on
   * reads see it too.
   */
  latest(key: string): Item | undefined {
    this.show(key);
    return this.get(key);
  }

  show(key: string): void {
    this.#earlier.delete(key);
  }

  isHidden(key: string): boolean {
    return this.#earlier.has(key);
  }

  override set(key: string, item: Item): this {
    this.show(key);
    return super.set(key, item);
  }

  override delete(key: string): boolean {
    this.show(key);
    return super.delete(key);
  }
}
