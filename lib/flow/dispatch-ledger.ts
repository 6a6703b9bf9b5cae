/**
 * Which operations of one record were taken by their services, as far as one delivery of its message knows: a
 * retry within the delivery sends the rest, or only marks.
 *
 * It goes by the operations' ids. An attempt that is made anew may give those to other operations, but only
 * as long as nothing of an earlier one was committed: nothing of it was dispatched then.
 */
export class DispatchLedger {
  /** Made when it is needed: most messages send nothing, or all at once. */
  #taken: Set<string> | undefined;

  add(operationIds: Iterable<string>): void {
    this.#taken ??= new Set();
    for (const id of operationIds) this.#taken.add(id);
  }

  has(operationId: string): boolean {
    return this.#taken?.has(operationId) === true;
  }
}
