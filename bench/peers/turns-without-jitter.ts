import middy from '@middy/core';
import type { CreateHandlerOptions, SqsBatchHandler } from 'sagabox';
import { sagaOutbox } from 'sagabox';
import { batchHandler } from '../../lib/middleware/sqs-batch.ts';
import { withoutJitter } from './without-jitter.ts';
import type { PeerSaga } from './without-turns.ts';

/** Sagabox, but for its jitter: after a conflict the delay doubles, and is the same for all. */
export function turnsWithoutJitterHandler(saga: PeerSaga, options: CreateHandlerOptions): SqsBatchHandler {
  const handleMessage = middy(saga.handler as () => Promise<unknown>).use(sagaOutbox({ ...options, saga }));
  return batchHandler(handleMessage, options, withoutJitter);
}
