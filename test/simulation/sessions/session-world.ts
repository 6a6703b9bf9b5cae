import type { StartTimer } from '../../../lib/attempt/invocation-deadline.ts';
import type { Ports } from '../../../lib/attempt/ports.ts';
import type { Clock } from '../../../lib/kernel/clock.ts';
import { SagaboxError } from '../../../lib/kernel/errors/errors.ts';
import { MemoryCommitter } from '../../../lib/testing/memory/committer.ts';
import { MemoryDispatcher } from '../../../lib/testing/memory/dispatcher.ts';
import { MemoryOutboxStore } from '../../../lib/testing/memory/outbox-store.ts';
import { MemoryRequestLeases } from '../../../lib/testing/memory/request-leases.ts';
import { MemorySagaStore } from '../../../lib/testing/memory/saga-store.ts';
import { MemoryStorage } from '../../../lib/testing/memory/storage.ts';
import type { Invocation } from './invocation.ts';

/** What every session has to keep, by the names of the design; `answer`, `exclusive` and `rest` are of sessions. */
export type SessionInvariant = 'I2' | 'I3' | 'I5' | 'I6' | 'I7' | 'answer' | 'exclusive' | 'rest';

/** How a call ends. `lost`: it took effect, and has no answer. `late`: the same, but it takes effect later. */
const fates = ['answered', 'lost', 'refused', 'late', 'crash'] as const;
export type SessionFate = (typeof fates)[number];

interface Call {
  readonly invocation: Invocation;
  readonly port: string;
  readonly apply: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
}

export const endpoint = 'api';

/** What all functions share: the tables, the queue and the time. Each call to them waits until its turn is drawn. */
export class SessionWorld {
  readonly storage = new MemoryStorage();
  readonly random: () => number;
  readonly counts = new Map<string, number>();
  /** Who committed each request, and in which step. */
  readonly commits = new Map<string, { readonly by: Invocation; readonly step: number }>();
  readonly sentIds = new Set<string>();
  violation: { readonly invariant: SessionInvariant; readonly message: string } | undefined;
  hasFaults = true;
  nowMs = 1_000_000;
  step = 0;
  #calls: Call[] = [];
  readonly #late: (() => Promise<unknown>)[] = [];
  readonly #timers = new Set<Timer>();
  readonly #committedIds = new Set<string>();
  readonly #committer = new MemoryCommitter({ storage: this.storage, endpoint });
  readonly #outbox = new MemoryOutboxStore(this.storage, endpoint);
  readonly #dispatcher = new MemoryDispatcher();

  constructor(random: () => number) {
    this.random = random;
  }

  violate(invariant: SessionInvariant, message: string): void {
    this.violation ??= { invariant, message };
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  readonly startTimer: StartTimer = (delayMs, fire) => {
    const timer = { atMs: this.nowMs + delayMs, fire };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  readonly clock: Clock = {
    now: () => new Date(this.nowMs),
    sleep: (durationMs, signal) =>
      new Promise((resolve) => {
        const cancel = this.startTimer(durationMs, resolve);
        const end = () => {
          cancel();
          resolve();
        };
        if (signal?.aborted) end();
        signal?.addEventListener('abort', end, { once: true });
      }),
  };

  portsOf(invocation: Invocation): Ports {
    const leases = new MemoryRequestLeases(this.storage, endpoint, this.#outbox, this.clock);
    const call = <T>(port: string, apply: () => Promise<T>) =>
      this.call(invocation, port, apply) as Promise<T>;
    const { snapshot, readSnapshot } = this.#committer;
    return {
      sagas: new MemorySagaStore(this.storage),
      outbox: {
        find: (id) => call('find', () => this.#outbox.find(id)),
        saveProgress: (record, sent) => call('saveProgress', () => this.#outbox.saveProgress(record, sent)),
        markDispatched: (record) =>
          call('mark', async () => {
            if (!record.operations.every(({ id }) => this.sentIds.has(id)))
              this.violate('I5', `${record.messageId} is marked before all of it is sent`);
            await this.#outbox.markDispatched(record);
          }),
      },
      requestLeases: {
        tryAcquire: (id, fingerprint, lease, meter) =>
          call('lease', () => leases.tryAcquire(id, fingerprint, lease, meter)),
        release: (id, lease) => call('release', () => leases.release(id, lease)),
      },
      committer: {
        snapshot,
        readSnapshot,
        commit: (commit) =>
          call('commit', async () => {
            await this.#committer.commit(commit);
            this.#noteCommit(commit.outbox?.messageId ?? '', invocation);
            for (const { id } of commit.outbox?.operations ?? []) this.#committedIds.add(id);
          }),
      },
      dispatcher: {
        dispatch: async (operations, options) => {
          await call('dispatch', async () => {
            for (const { id } of operations) {
              if (!this.#committedIds.has(id)) this.violate('I3', `${id} is sent, and was not committed`);
              this.sentIds.add(id);
            }
            await this.#dispatcher.dispatch(operations);
          });
          options?.onTaken?.(operations.map(({ id }) => id));
        },
      },
      clock: this.clock,
    };
  }

  #noteCommit(id: string, by: Invocation): void {
    if (this.commits.has(id)) this.violate('I2', `${id} is committed twice`);
    this.commits.set(id, { by, step: this.step });
  }

  get unsentIds(): string[] {
    return [...this.#committedIds].filter((id) => !this.sentIds.has(id));
  }

  call(invocation: Invocation, port: string, apply: () => Promise<unknown>): Promise<unknown> {
    if (invocation.isDead) return new Promise(() => {});
    if (invocation.hasEnded) this.violate('I6', `${invocation.name} calls ${port} after its answer`);
    if (invocation.isGivenUp && (port === 'commit' || port === 'dispatch'))
      this.violate('I7', `${invocation.name} starts a ${port} though its time is up`);
    return new Promise((resolve, reject) => {
      this.#calls.push({ invocation, port, apply, resolve, reject });
    });
  }

  /** One thing happens: a call ends, one takes effect late, or time passes. @returns false when nothing can */
  async proceed(): Promise<boolean> {
    // Until each invocation waits for a call, or for its time.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.step += 1;
    this.#calls = this.#calls.filter(({ invocation }) => !invocation.isDead);
    const isLate = this.#late.length > 0 && (this.#calls.length === 0 || this.random() < 0.2);
    const passes = this.#calls.length === 0 || (this.hasFaults && this.random() < 0.04);
    if (isLate) await this.#late.shift()?.();
    else if (passes) {
      if (!this.#passTime()) return false;
    } else await this.#end(this.#draw(this.#calls));
    return true;
  }

  #draw<T>(among: T[]): T {
    return among.splice(Math.floor(this.random() * among.length), 1)[0] as T;
  }

  #passTime(): boolean {
    if (this.#timers.size === 0) return false;
    this.nowMs = Math.max(this.nowMs, Math.min(...[...this.#timers].map(({ atMs }) => atMs)));
    for (const timer of [...this.#timers].filter(({ atMs }) => atMs <= this.nowMs))
      if (this.#timers.delete(timer)) timer.fire();
    return true;
  }

  #fate(port: string): SessionFate {
    const draw = this.hasFaults ? this.random() : 1;
    if (draw < 0.03) return 'crash';
    if (port === 'handler') return 'answered';
    return draw < 0.09 ? 'lost' : draw < 0.14 ? 'refused' : draw < 0.17 ? 'late' : 'answered';
  }

  async #end({ invocation, port, apply, resolve, reject }: Call): Promise<void> {
    const fate = this.#fate(port);
    this.count(`${port} ${fate}`);
    if (fate !== 'answered') invocation.isFaulted = true;
    const takesEffect = fate === 'answered' || fate === 'lost' || (fate === 'crash' && this.random() < 0.5);
    if (fate === 'crash') invocation.isDead = true;
    if (fate === 'late') this.#late.push(() => apply().catch(() => {}));
    if (!takesEffect) return reject(noAnswer(port));
    try {
      const value = await apply();
      if (fate !== 'answered') return reject(noAnswer(port));
      if (port === 'find' || port === 'lease') invocation.lastReadStep = this.step;
      if (port === 'commit') invocation.hasCommitted = true;
      resolve(value);
    } catch (error) {
      reject(fate === 'answered' ? error : noAnswer(port));
    }
  }
}

function noAnswer(port: string): SagaboxError {
  return port === 'dispatch'
    ? new SagaboxError('DispatchFailed', { destination: 'orders', failures: ['no answer'] })
    : new SagaboxError('TableCallFailed', { operation: port, tableNames: ['outbox'], detail: 'no answer' });
}
