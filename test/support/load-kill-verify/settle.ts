import { setTimeout as delay } from 'node:timers/promises';

/** What is seen of a load at one moment. */
export interface Look {
  /** Whether all of it is handled. */
  readonly isSettled: boolean;
  /** Another value than at the look before as long as anything moves. */
  readonly progress: string | number;
}

export interface Settling {
  readonly look: () => Promise<Look>;
  /** From one look to the next. */
  readonly tickMs: number;
  /** How long nothing may move. @default 120 s, which is longer than messages of a killed function are hidden */
  readonly stallMs?: () => number;
}

/** A message may be between two queues while they are looked at. */
const looksAtRest = 2;

/**
 * Looks at a load until it is handled, or nothing has moved for long. The pauses between looks count, and the
 * time that looks take does not: a busy machine, on which they take longer, has longer.
 *
 * @returns whether all is handled
 */
export async function settle(
  { look, tickMs, stallMs = () => 120_000 }: Settling,
  signal: AbortSignal,
): Promise<boolean> {
  let atRest = 0;
  let stillMs = 0;
  let last: Look['progress'] | undefined;
  for (;;) {
    signal.throwIfAborted();
    const { isSettled, progress } = await look();
    atRest = isSettled ? atRest + 1 : 0;
    if (atRest === looksAtRest) return true;
    stillMs = progress === last ? stillMs + tickMs : 0;
    last = progress;
    if (stillMs > stallMs()) return false;
    await delay(tickMs, undefined, { signal });
  }
}
