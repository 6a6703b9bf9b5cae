import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until the answer is yes; fails after a time that no working system needs. */
export async function waitUntil(
  question: () => boolean | Promise<boolean>,
  timeoutMs = 100_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await question())) {
    if (Date.now() > deadline) throw new Error(`Not so after ${timeoutMs} ms: ${question}`);
    await delay(20);
  }
}
