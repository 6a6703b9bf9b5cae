/** By their contexts: another middleware may answer before them, as middy's `timeoutEarlyResponse` does. */
const running = new WeakSet<object>();

export async function whileRunning(context: object, handle: () => unknown): Promise<void> {
  running.add(context);
  try {
    await handle();
  } finally {
    running.delete(context);
  }
}

export function isRunning(context: object): boolean {
  return running.has(context);
}
