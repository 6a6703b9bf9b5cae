import type { Port } from './call.ts';
import type { Fate } from './fates.ts';

/** Calls that leave something behind when they end otherwise than they should. */
const leavesLease: Partial<Record<Port, readonly Fate[]>> = {
  release: ['refused', 'throttled', 'late'],
  // It may be taken again behind the release.
  acquire: ['late'],
};

/** What an invocation met that can keep its messages from being handled: without any of it, they must be. */
export class Disturbances {
  readonly #faulted = new Set<Port>();
  /** How often, by the saga's id. */
  readonly #contentions = new Map<string, number>();
  readonly #failed = new Set<string>();
  readonly #unrecoverable = new Set<string>();
  readonly #ownersOfLostLeases = new Set<string>();

  /** A call of the invocation ended otherwise than it should. */
  fault(port: Port, fate: Fate, leaseOwner: string | undefined): void {
    this.#faulted.add(port);
    if (leaseOwner !== undefined && leavesLease[port]?.includes(fate))
      this.#ownersOfLostLeases.add(leaseOwner);
  }

  /** A call that had no answer when the invocation ended: it may still take effect. */
  leftBehind(port: Port, leaseOwner: string | undefined): void {
    if (leaseOwner !== undefined && leavesLease[port]) this.#ownersOfLostLeases.add(leaseOwner);
  }

  /** Another invocation wrote a saga meanwhile, or holds its lease; or its last write is not visible yet. */
  contention(sagaId: string): void {
    this.#contentions.set(sagaId, this.contentionsOf(sagaId) + 1);
  }

  isContended(sagaId: string | undefined): boolean {
    return sagaId !== undefined && this.contentionsOf(sagaId) > 0;
  }

  contentionsOf(sagaId: string): number {
    return this.#contentions.get(sagaId) ?? 0;
  }

  failure(messageId: string, isUnrecoverable: boolean): void {
    (isUnrecoverable ? this.#unrecoverable : this.#failed).add(messageId);
  }

  get hasFaults(): boolean {
    return this.#faulted.size > 0;
  }

  isUnrecoverable(messageId: string): boolean {
    return this.#unrecoverable.has(messageId);
  }

  /** Whether a message of a saga, or of none, may have failed. */
  mayFail(messageId: string, sagaId: string | undefined): boolean {
    const hasFailed = this.#failed.has(messageId) || this.#unrecoverable.has(messageId);
    return this.hasFaults || this.isContended(sagaId) || hasFailed;
  }

  /** Whether a lease may be left behind. */
  mayLeave(leaseOwner: string): boolean {
    return this.#ownersOfLostLeases.has(leaseOwner);
  }
}
