import { openSync } from 'node:fs';
import type { SqsBatchHandler } from 'sagabox';

const aDayMs = 24 * 60 * 60 * 1000;

/** Leaks objects, a buffer, a timer and an open file for each message. */
export function leaking(handler: SqsBatchHandler): SqsBatchHandler {
  const kept: unknown[] = [];
  return async (event, context) => {
    const { Records } = event as { Records: readonly unknown[] };
    for (const _record of Records) {
      kept.push(
        Array.from({ length: 2000 }, (_, index) => ({ index })),
        Buffer.alloc(50_000),
        setTimeout(() => {}, aDayMs),
        openSync(process.execPath, 'r'),
      );
    }
    return await handler(event, context);
  };
}
