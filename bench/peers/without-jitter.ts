import type { SqsBatchHandler, SqsBatchOptions } from 'sagabox';
import type { MessageHandler } from '../../lib/middleware/batch-handler.ts';
import { batchHandler } from '../../lib/middleware/batch-handler.ts';
import { configureFailureHandling } from '../../lib/middleware/configure-failure-handling.ts';

/**
 * Jitter takes a random share of each delay, half of it on average; here it is half of it always: as long a
 * delay, but the same for all.
 */
export function withoutJitter(handleMessage: MessageHandler, options: SqsBatchOptions): SqsBatchHandler {
  return batchHandler(handleMessage, options, {
    configure: (retries) => configureFailureHandling(options, retries, { random: () => 0.5 }),
  });
}
