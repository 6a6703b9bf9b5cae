/** By their contexts: another middleware may answer before them, as middy's `timeoutEarlyResponse` does. */
const running = new WeakMap<object, number>();

export async function whileRunning(context: object, handle: () => unknown): Promise<void> {
  running.set(context, countOf(context) + 1);
  try {
    await handle();
  } finally {
    running.set(context, countOf(context) - 1);
  }
}

export function isRunning(context: object): boolean {
  return countOf(context) > 0;
}

/** One may call another with its own context. */
function countOf(context: object): number {
  return running.get(context) ?? 0;
}
