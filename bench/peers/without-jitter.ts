import type { SqsBatchHandler, SqsBatchOptions } from 'sagabox';
import type { MessageHandler } from '../../lib/middleware/batch-handler.ts';
import { batchHandler } from '../../lib/middleware/batch-handler.ts';
import { configureRecoverability } from '../../lib/middleware/configure-recoverability.ts';

/**
 * Jitter takes a random share of each delay, half of it on average; here it is half of it always: as long a
 * delay, but the same for all.
 */
export function withoutJitter(handleMessage: MessageHandler, options: SqsBatchOptions): SqsBatchHandler {
  return batchHandler(handleMessage, options, {
    configure: (settings) => configureRecoverability(options, settings, { random: () => 0.5 }),
  });
}
