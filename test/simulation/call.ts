import type { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';

/** The calls that leave a worker, by what they are to it. */
export const ports = [
  'find',
  'load',
  'acquire',
  'renew',
  'release',
  'gather',
  'commit',
  'send',
  'schedule',
  'unschedule',
  'mark',
  'keep sent',
  'search',
  'claim',
  'postpone',
  'give back',
  'unlist',
  'look',
  'list',
  'forward',
  'visibility',
  'pause',
  'acknowledge',
] as const;
export type Port = (typeof ports)[number];

/** How a call is carried out: as it should be, by an old replica, or in its first half. */
export type Manner = 'whole' | 'stale' | 'partial';

export interface CallRequest<T> {
  readonly port: Port;
  readonly about: () => string;
  /** Takes effect at once, in the moment in which it is called. */
  readonly perform: (manner: Manner) => Promise<T>;
  /** What the caller gets instead of the result: an error, or an answer that stands for one. */
  readonly refusal?: ((passing: boolean) => Refusal<T>) | undefined;
  /** That a stale answer differs, or that a part of it can fail. */
  readonly manners?: readonly Manner[];
  /** Whoever makes it need not wait for it when this is aborted. */
  readonly signal?: AbortSignal | undefined;
  readonly meter?: CapacityMeter | undefined;
  /** Of the lease that it takes, renews or gives back. */
  readonly leaseOwner?: string;
}

export type Refusal<T> = { readonly error: Error } | { readonly value: T };
export type Settled<T> = { readonly value: T } | { readonly error: unknown };

/** A call on its way: it is sent, takes effect, and is answered, each at a time of its own. */
export class Call<T = unknown> {
  readonly request: CallRequest<T>;
  readonly #answer: (settled: Settled<T>) => void;
  #effect: Promise<Settled<T>> | undefined;
  #isAnswered = false;
  /** Others of the same worker go on before it. */
  isSlow: boolean;
  readonly begunIn: unknown;

  constructor(
    request: CallRequest<T>,
    begunIn: unknown,
    isSlow: boolean,
    answer: (settled: Settled<T>) => void,
  ) {
    this.request = request;
    this.begunIn = begunIn;
    this.isSlow = isSlow;
    this.#answer = answer;
  }

  /** Whether it has neither taken effect nor been answered. */
  get isWaiting(): boolean {
    return this.#effect === undefined && !this.#isAnswered;
  }

  get isApplied(): boolean {
    return this.#effect !== undefined;
  }

  /** Once only. */
  async apply(manner: Manner = 'whole'): Promise<Settled<T>> {
    this.#effect ??= settle(this.request.perform(manner));
    return await this.#effect;
  }

  answer(settled: Settled<T>): void {
    this.#isAnswered = true;
    this.#answer(settled);
  }
}

async function settle<T>(result: Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await result };
  } catch (error) {
    return { error };
  }
}
