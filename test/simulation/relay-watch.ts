import type { RelayResult } from '../../lib/flow/relay/relay-result.ts';

/** What one relay did with each record, against what it tells. */
export class RelayWatch {
  readonly #claimed = new Set<string>();
  readonly #marked = new Set<string>();
  readonly #letGo = new Set<string>();

  claimed(messageId: string): void {
    this.#claimed.add(messageId);
  }

  reading(messageId: string): string | undefined {
    return this.#claimed.has(messageId) ? undefined : `the relay takes '${messageId}' without a claim`;
  }

  marked(messageId: string): void {
    this.#marked.add(messageId);
  }

  lettingGo(messageId: string): void {
    this.#letGo.add(messageId);
  }

  problemOf({ dispatched, failed }: RelayResult): string | undefined {
    if (dispatched !== this.#marked.size) {
      return `the relay tells of ${dispatched} records that it dispatched, and marked ${this.#marked.size}`;
    }
    const kept = failed.find(({ messageId }) => this.#claimed.has(messageId) && !this.#letGo.has(messageId));
    return (
      kept && `the relay failed to dispatch '${kept.messageId}', and neither postponed it nor gave it back`
    );
  }
}
