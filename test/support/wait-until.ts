import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until the answer is yes; fails before the test does, to tell what it asked. */
export async function waitUntil(
  question: () => boolean | Promise<boolean>,
  timeoutMs = 110_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await question())) {
    if (Date.now() > deadline) throw new Error(`Not so after ${timeoutMs} ms: ${question}`);
    await delay(20);
  }
}
