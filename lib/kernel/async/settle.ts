export function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  return promise.then<PromiseSettledResult<T>, PromiseSettledResult<T>>(fulfilled, rejected);
}

function fulfilled<T>(value: T): PromiseFulfilledResult<T> {
  return { status: 'fulfilled', value };
}

function rejected(reason: unknown): PromiseRejectedResult {
  return { status: 'rejected', reason };
}

/** Promise.all that waits for every promise before it throws: Lambda freezes what is left running. */
export function settleAll<T extends readonly unknown[] | []>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  return Promise.all(promises).catch(async () => {
    await Promise.allSettled(promises);
    // Now it throws the first by their order, not by time.
    return await Promise.all(promises);
  });
}
