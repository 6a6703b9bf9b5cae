/**
 * Items of one kind, by their partition key. Each is visible as soon as it is written, unless it is hidden:
 * then reads get its earlier image for a while. DynamoDB shows the writes of a transaction item by item, and
 * reads at the same time, also those of one batch, may find one item new and another one old. Conditions of
 * writes always see the latest item.
 */
export class MemoryItems<Item> extends Map<string, Item> {
  readonly #earlier = new Map<string, Item | undefined>();

  /** Returns the item that a read gets; `undefined` if there is none. */
  read(key: string): Item | undefined {
    return this.#earlier.has(key) ? this.#earlier.get(key) : this.get(key);
  }

  /** The keys of all items that a read may find. */
  get readableKeys(): readonly string[] {
    return [...new Set([...this.keys(), ...this.#earlier.keys()])];
  }

  /** Gives reads an earlier image, until the item is shown or written. */
  hide(key: string, earlier: Item | undefined): void {
    this.#earlier.set(key, earlier);
  }

  /**
   * Returns the item that the condition of a write sees. No transaction is under way on the item then, so
   * that from here on reads see it too.
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
