import type { CreateHandlerOptions, SqsBatchHandler } from 'sagabox';
import type { Flow } from '../../lib/attempt/attempt.ts';
import { configureFlow } from '../../lib/compose/configure-flow.ts';
import { flowOnce } from '../../lib/compose/flow-source.ts';
import { outboxMiddleware, throughContext } from '../../lib/compose/handler/outbox-middleware.ts';
import { sqsBatchOf } from '../../lib/compose/handler/sqs-batch.ts';
import type { SagaLocks } from '../../lib/saga/saga-locks.ts';
import { type PeerSaga, withoutTurns } from './retries.ts';

/**
 * Leases as the published systems take them: each message asks by itself, with a random delay from the same
 * range between two attempts, whoever else of its own batch asks too, and whatever is known of the lease that
 * is in the way. All else is what sagabox does: the same conditions, the same commit, the same retries.
 */
export function blindSpinHandler(saga: PeerSaga, options: CreateHandlerOptions): SqsBatchHandler {
  const outbox = outboxMiddleware(
    flowOnce(() => withBlindLocks(configureFlow({ ...options, saga }))),
    options,
  );
  return sqsBatchOf(throughContext(withoutTurns(saga, outbox)), options);
}

function withBlindLocks(flow: Flow): Flow {
  if (flow.leases === undefined) throw new Error('A spin needs the pessimistic mode');
  return { ...flow, leases: { ...flow.leases, locks: blind(flow.leases.locks) } };
}

/** Without the end of the lease, the delays are the plain random ones. */
function blind(locks: SagaLocks): SagaLocks {
  return {
    tryAcquire: async (saga, lease, expected, meter) => {
      const result = await locks.tryAcquire(saga, lease, expected, meter);
      return result.outcome === 'held' ? { outcome: 'held', until: undefined } : result;
    },
    renew: (saga, lease, meter) => locks.renew(saga, lease, meter),
    release: (saga, lease, expected, meter) => locks.release(saga, lease, expected, meter),
  };
}
