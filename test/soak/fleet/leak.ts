import type { SqsBatchHandler } from 'sagabox';

/** Keeps objects and a buffer for each message, as a handler with a leak does: to see that it shows. */
export function leaking(handler: SqsBatchHandler): SqsBatchHandler {
  const kept: unknown[] = [];
  return async (event, context) => {
    const { Records } = event as { Records: readonly unknown[] };
    for (const _record of Records) {
      kept.push(
        Array.from({ length: 2000 }, (_, index) => ({ index })),
        Buffer.alloc(50_000),
      );
    }
    return await handler(event, context);
  };
}
