import { setTimeout as delay } from 'node:timers/promises';
import type { QueueDepth } from './queue-depths.ts';

export interface SettleOptions {
  readonly depth: () => Promise<QueueDepth>;
  readonly runningInvocations: () => number;
  /** Lets the clock of the queues jump ahead. */
  readonly advanceQueueClock: (seconds: number) => void;
  /** Any number that changes while the run goes on. */
  readonly progress: () => number;
  readonly onTick: (depth: QueueDepth) => void | Promise<void>;
  readonly signal: AbortSignal;
}

const tickMs = 100;
/** While every message waits for a timeout or a delay, the queues' clock is moved on by this at each tick. */
const idleJumpSeconds = 60;
/** Longer than any function may take, so that only a real standstill ends the run. */
const stallMs = 60_000;

/**
 * Waits until no message is left in any queue.
 *
 * @returns whether that was reached; false when nothing moved for a minute.
 */
export async function settle(options: SettleOptions): Promise<boolean> {
  let idleTicks = 0;
  let lastProgress = options.progress();
  let movedAt = Date.now();
  for (;;) {
    await delay(tickMs, undefined, { signal: options.signal });
    const depth = await options.depth();
    await options.onTick(depth);
    const idle = options.runningInvocations() === 0 && depth.ready === 0;
    idleTicks = idle ? idleTicks + 1 : 0;
    const settled = idle && depth.inFlight === 0 && depth.delayed === 0;
    if (settled && idleTicks > 2) return true;
    if (!settled && idleTicks > 2) options.advanceQueueClock(idleJumpSeconds);
    if (options.progress() !== lastProgress) {
      lastProgress = options.progress();
      movedAt = Date.now();
    }
    if (Date.now() - movedAt > stallMs) return false;
  }
}
