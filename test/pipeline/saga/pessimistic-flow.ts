import type { FlowEvent } from '../../../lib/observe/flow-event.ts';
import {
  type Locking,
  lockingSettings,
  type PessimisticSettings,
} from '../../../lib/saga/definition/locking.ts';
import type { SagaLocks } from '../../../lib/saga/saga-locks.ts';
import { MemorySagaLocks } from '../../../lib/testing/memory/saga-locks.ts';
import { MemorySagaStore } from '../../../lib/testing/memory/saga-store.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { newDelivery, noDeadline } from '../../support/attempts.ts';
import { MemoryFlow } from '../../support/memory-flow.ts';
import { MovingClock } from '../../support/moving-clock.ts';

export const orderKey = 'SAGA#Order#7';

/** A delivery in an invocation that may start messages for so long. */
export const startableFor = (startableForMs: number) => ({
  delivery: newDelivery(undefined, { ...noDeadline, startableForMs }),
});

/** A flow in pessimistic mode, with every call of the locks noted. */
export class PessimisticFlow extends MemoryFlow {
  readonly clock = new MovingClock();
  readonly calls: string[] = [];
  readonly warnings: { message: string; error: unknown }[] = [];
  readonly events: FlowEvent[] = [];
  readonly locks: SagaLocks;
  random = 0;

  constructor(locking: Omit<Extract<Locking, { mode: 'pessimistic' }>, 'mode'> = {}) {
    super();
    const { clock, storage } = this;
    const inMemory = new MemorySagaLocks(storage, new MemorySagaStore(storage), clock);
    this.locks = {
      tryAcquire: async (identity, lease, expected) => {
        const result = await inMemory.tryAcquire(identity, lease, expected);
        this.calls.push(`acquire ${expected} ${lease.owner}: ${result.outcome}`);
        return result;
      },
      renew: async (identity, lease) => {
        this.calls.push(`renew ${lease.owner}`);
        return await inMemory.renew(identity, lease);
      },
      release: async (identity, lease, expected) => {
        this.calls.push(`release ${expected} ${lease.owner}`);
        await inMemory.release(identity, lease);
      },
    };
    let owners = 0;
    const warn = (message: string, facts?: { error?: unknown }) =>
      void this.warnings.push({ message, error: facts?.error });
    this.flow = {
      ...this.flow,
      logger: { ...silentLogger, warn },
      hooks: { ...this.flow.hooks, onEvent: (event) => void this.events.push(event) },
      ports: { ...this.flow.ports, clock },
      leases: {
        isForEach: true,
        settings: lockingSettings({ mode: 'pessimistic', ...locking }) as PessimisticSettings,
        locks: this.locks,
        random: () => this.random,
        lastFound: new Map(),
        newLeaseOwner: () => {
          owners += 1;
          return `owner-${owners}`;
        },
      },
    };
  }

  /** Somebody else has the lease for so long. */
  lockedFor(durationMs: number, owner = 'somebody'): void {
    this.storage.leases.set(orderKey, { owner, until: new Date(this.clock.now().getTime() + durationMs) });
  }
}
