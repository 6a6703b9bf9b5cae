import { type CreateHandlerOptions, type IncomingMessage, type SqsBatchHandler, sqsBatch } from 'sagabox';
import type { SagaRules } from '../../lib/core/define-saga.ts';
import { abandon } from '../../lib/flow/abandon.ts';
import { type Flow, type Handling, startAttempt } from '../../lib/flow/attempt.ts';
import { begin } from '../../lib/flow/begin.ts';
import { complete } from '../../lib/flow/complete.ts';
import { configureFlow } from '../../lib/middleware/configure-flow.ts';
import type { SagaLocks } from '../../lib/ports.ts';

type SpunSaga = SagaRules & { readonly handler: (message: never, context: never) => unknown };

/**
 * Leases as the published systems take them: each message asks by itself, with a random delay from the same range between
 * two attempts, whoever else of its own batch asks too, and whatever is known of the lease that is in the way. All else is
 * what sagabox does: the same conditions, the same commit, the same retries.
 */
export function blindSpinHandler(saga: SpunSaga, options: CreateHandlerOptions): SqsBatchHandler {
  const flow = withBlindLocks(configureFlow({ ...options, saga }));
  const handle = async (message: IncomingMessage) => {
    const attempt = startAttempt(flow, message);
    let handling: Handling | undefined;
    try {
      handling = await begin(attempt, noTurns);
      if (handling === undefined) return;
      const context = { ...handling.work.context, saga: handling.draft?.saga };
      await saga.handler(handling.message as never, context as never);
      await complete(handling);
    } catch (error) {
      await abandon(handling ?? attempt, error);
      throw error;
    }
  };
  return sqsBatch(handle, options);
}

function withBlindLocks(flow: Flow): Flow {
  if (flow.pessimistic === undefined) throw new Error('A spin needs the pessimistic mode');
  return { ...flow, pessimistic: { ...flow.pessimistic, locks: blind(flow.pessimistic.locks) } };
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

async function noTurns(): Promise<void> {}
