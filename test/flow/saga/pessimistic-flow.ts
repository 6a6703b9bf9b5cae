import { z } from 'zod';
import { MemoryCommitter } from '../../../lib/adapters/memory/committer.ts';
import { MemoryDispatcher } from '../../../lib/adapters/memory/dispatcher.ts';
import { MemoryOutboxStore } from '../../../lib/adapters/memory/outbox-store.ts';
import { MemorySagaLocks } from '../../../lib/adapters/memory/saga-locks.ts';
import { MemorySagaStore } from '../../../lib/adapters/memory/saga-store.ts';
import { MemoryStorage } from '../../../lib/adapters/memory/storage.ts';
import type { FlowEvent } from '../../../lib/core/failures/flow-event.ts';
import { readEnvelope } from '../../../lib/core/incoming/envelope.ts';
import { defineSaga } from '../../../lib/core/saga/define-saga.ts';
import { type Locking, lockingSettings, type PessimisticSettings } from '../../../lib/core/saga/locking.ts';
import type { Attempt, Flow } from '../../../lib/flow/attempt.ts';
import { SagaTurns } from '../../../lib/flow/batch/saga-turns.ts';
import { begin } from '../../../lib/flow/begin.ts';
import type { Transaction } from '../../../lib/flow/transaction.ts';
import type { SagaLocks } from '../../../lib/ports.ts';
import { attemptAt, newDelivery, noDeadline } from '../../support/attempts.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { record } from '../../support/queue.ts';
import { sendingTo } from '../../support/sending.ts';

const saga = defineSaga({
  name: 'Order',
  messages: { Placed: z.object({ id: z.string() }), Paid: z.object({ id: z.string() }) },
  correlate: { Placed: (m) => m.id, Paid: (m) => m.id },
  startedBy: ['Placed'],
  initialState: () => ({ count: 0 }),
  handlers: { Placed() {}, Paid() {} },
});

export const orderKey = 'SAGA#Order#7';

/** A flow in memory, in pessimistic mode, with every call of the locks noted. */
export class PessimisticFlow {
  readonly clock = new MovingClock();
  readonly storage = new MemoryStorage();
  readonly calls: string[] = [];
  readonly warnings: { message: string; error: unknown }[] = [];
  readonly events: FlowEvent[] = [];
  readonly locks: SagaLocks;
  readonly flow: Flow;
  random = 0;

  constructor(locking: Omit<Extract<Locking, { mode: 'pessimistic' }>, 'mode'> = {}) {
    const { clock, storage } = this;
    const sagas = new MemorySagaStore(storage);
    const inMemory = new MemorySagaLocks(storage, sagas, clock);
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
    this.flow = {
      endpoint: 'orders',
      sending: sendingTo({ billing: 'https://queues.test/billing' }),
      saga,
      outbox: true,
      logger: {
        info: () => {},
        warn: (message: string, facts?: { error?: unknown }) =>
          void this.warnings.push({ message, error: facts?.error }),
        error: () => {},
      },
      hooks: { onEvent: (event) => void this.events.push(event) },
      ports: {
        sagas,
        outbox: new MemoryOutboxStore(storage, 'orders'),
        committer: new MemoryCommitter({ storage, endpoint: 'orders' }),
        dispatcher: new MemoryDispatcher(),
        clock,
      },
      pessimistic: {
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

  /** @param startableForMs how long the invocation may still start messages */
  start(type: string, id: string, startableForMs = Number.POSITIVE_INFINITY): Attempt {
    const delivery = newDelivery(new SagaTurns(), { ...noDeadline, startableForMs });
    return attemptAt(this.flow, readEnvelope(record(type, { id: '7' }, id)), { delivery });
  }

  /** Up to where the handler runs. */
  async open(type: string, id: string, startableForMs?: number): Promise<Transaction> {
    const transaction = await begin(this.start(type, id, startableForMs));
    if (transaction === undefined) throw new Error('There is nothing to handle');
    return transaction;
  }

  /** Somebody else has the lease for so long. */
  lockedFor(durationMs: number, owner = 'somebody'): void {
    this.storage.leases.set(orderKey, { owner, until: new Date(this.clock.now().getTime() + durationMs) });
  }
}
