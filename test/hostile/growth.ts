/** Some kernels count processor time in steps of several milliseconds. */
const ENOUGH_MS = 20;

/** The processor time of a call, in milliseconds: what other processes take of the machine does not count. */
function msOf(call: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let calls = 1; ; calls += 1) {
    call();
    const { user, system } = process.threadCpuUsage(before);
    const elapsedMs = (user + system) / 1000;
    if (elapsedMs >= ENOUGH_MS) return elapsedMs / calls;
  }
}

/**
 * 32 times the input takes 32 times the time if it is linear, and 1,024 times if it is quadratic: a measurement may be
 * wrong by its threefold, or by its tenth part, and still tells one from the other.
 */
const GROWTH = 32;
const MAX_GROWTH = 3 * GROWTH;
const TRIES = 4;

/**
 * How many times longer a call takes for 32 times the input, if that is more than a linear one may take; undefined if it
 * is linear.
 *
 * @param callFor prepares a call with an input of so many characters
 */
export function growthOver(callFor: (size: number) => () => unknown, maxSize: number): number | undefined {
  let growth = Number.POSITIVE_INFINITY;
  for (let tries = 1; tries <= TRIES && growth > MAX_GROWTH; tries += 1) {
    growth = Math.min(growth, msOf(callFor(maxSize)) / msOf(callFor(maxSize / GROWTH)));
  }
  return growth > MAX_GROWTH ? growth : undefined;
}

const YARDSTICK_SIZE = 8 * 1024;
const MAX_YARDSTICKS = 50;
/** What is exponential, or cubic, is found at a size at which it still ends. */
const SIZES = [24, 48, 96, 192, 768, YARDSTICK_SIZE];

/** Compares calls with one that is known to be linear, for an input of as many characters as the longest of theirs. */
export class Yardstick {
  readonly #limitMs: number;

  constructor() {
    const text = 'ab'.repeat(YARDSTICK_SIZE / 2);
    this.#limitMs = MAX_YARDSTICKS * msOf(() => /^(?:[^c]|d)*c/.test(text));
  }

  /** Whether there is a size of the input for which a call takes far longer than a linear one. */
  isExceeded(callFor: (size: number) => () => unknown): boolean {
    return SIZES.some((size) => this.#isSlow(callFor(size)));
  }

  /** Most calls are over before the processor's time would be asked for, which takes longer than they do. */
  #isSlow(call: () => unknown): boolean {
    const before = performance.now();
    call();
    if (performance.now() - before <= this.#limitMs) return false;
    return Array.from({ length: TRIES }).every(() => msOf(call) > this.#limitMs);
  }
}
