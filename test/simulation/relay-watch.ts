import type { RecordReference } from '../../lib/outbox/record.ts';
import type { RelayResult } from '../../lib/relay/relay-result.ts';

/** What one relay did with each record, against what it tells. */
export class RelayWatch {
  readonly #claimed = new Set<string>();
  readonly #marked = new Set<string>();
  /** More than records: a lease may expire between two places of one, which is then dispatched from both. */
  #marks = 0;
  readonly #letGo = new Set<string>();
  /** As they were found: one record can have several places on the list. */
  readonly #claimedPlaces = new Set<RecordReference>();
  readonly #leftListed = new Set<RecordReference>();

  claimed(record: RecordReference): void {
    this.#claimed.add(record.messageId);
    this.#claimedPlaces.add(record);
  }

  reading(messageId: string): string | undefined {
    return this.#claimed.has(messageId) ? undefined : `the relay takes '${messageId}' without a claim`;
  }

  marked(messageId: string): void {
    this.#marked.add(messageId);
    this.#marks += 1;
  }

  lettingGo(messageId: string): void {
    this.#letGo.add(messageId);
  }

  /** It is marked, and could not be taken off the list: it is told as failed, and found once more. */
  leftListed(record: RecordReference): void {
    const { messageId } = record;
    if (this.#claimedPlaces.has(record) && this.#marked.has(messageId)) this.#leftListed.add(record);
  }

  problemOf({ dispatched, failed }: RelayResult): string | undefined {
    // One that was left on the list may have been marked from another of its places.
    const atLeast = this.#marks - this.#leftListed.size;
    if (dispatched > this.#marks || dispatched < atLeast) {
      return `the relay tells of ${dispatched} records that it dispatched, and marked ${this.#marks}`;
    }
    const kept = failed.find(({ messageId }) => this.#claimed.has(messageId) && !this.#letGo.has(messageId));
    return (
      kept && `the relay failed to dispatch '${kept.messageId}', and neither postponed it nor gave it back`
    );
  }
}
