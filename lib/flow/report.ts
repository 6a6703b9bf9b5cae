import type { SagaIdentity } from '../core/keys.ts';
import type { Attempt, MessageReport } from './attempt.ts';

/** Tells the observer how an attempt ended. */
export async function report(
  attempt: Attempt,
  outcome: MessageReport['outcome'],
  saga?: SagaIdentity,
  error?: unknown,
): Promise<undefined> {
  const { flow, received, meter, startedAt } = attempt;
  try {
    await flow.hooks.onMessage?.({
      endpoint: flow.endpoint,
      messageId: received.id,
      messageType: received.type,
      ...(saga === undefined ? {} : { sagaName: saga.name, sagaId: saga.id }),
      outcome,
      capacity: meter.total,
      durationMs: flow.ports.clock.now().getTime() - startedAt.getTime(),
      ...(error === undefined ? {} : { error }),
    });
  } catch (hookError) {
    // The message is settled whatever its observer does; failing it now would only deliver it again.
    const facts = { endpoint: flow.endpoint, messageId: received.id, error: hookError };
    flow.logger.error('The onMessage hook failed', facts);
  }
}
