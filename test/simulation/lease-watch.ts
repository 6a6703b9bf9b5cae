import type { Lease } from '../../lib/kernel/lease.ts';
import type { Tally } from '../support/tally.ts';
import type { Change } from './observed-storage.ts';
import type { Violate } from './violation.ts';

export class LeaseWatch {
  readonly #coverage: Tally;
  readonly #violate: Violate;
  readonly #ownerNumbers = new Map<string, number>();

  constructor(coverage: Tally, violate: Violate) {
    this.#coverage = coverage;
    this.#violate = violate;
  }

  /** A commit under a lease was taken. @param held before it */
  checkHeld(owner: string, held: Lease | undefined): void {
    if (held?.owner === owner) return;
    const [who, whose] = [this.#named(owner), this.#named(held?.owner)];
    this.#violate('lease', `a commit by ${who} was taken, but the lease is held by ${whose}`);
  }

  /** @param now when others may be taken over */
  checkChanges(changes: readonly Change<Lease>[], owner: string | undefined, now?: Date): void {
    for (const { before, after } of changes) {
      if (before === undefined || before.owner === owner) continue;
      if (now !== undefined && before.until < now) {
        this.#coverage.add('leases taken over');
        continue;
      }
      const whose = this.#named(before.owner);
      this.#violate('lease', `the lease of ${whose} ends by ${this.#named(after?.owner ?? owner)}`);
    }
  }

  /** Owners are other random ids in each run. */
  #named(owner: string | undefined): string {
    if (owner === undefined) return 'nobody';
    const number = this.#ownerNumbers.get(owner) ?? this.#ownerNumbers.size + 1;
    this.#ownerNumbers.set(owner, number);
    return `owner ${number}`;
  }
}
