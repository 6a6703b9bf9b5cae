import type { SagaIdentity } from '../dynamodb/keys.ts';
import { failureCode } from '../messages/failures/failure-facts.ts';
import type { MessageLogger } from '../messages/logger.ts';
import { isTimeout } from '../messages/message.ts';
import type { FlowEvent } from '../observe/flow-event.ts';
import type { FlowHooks, MessageReport } from '../observe/hooks.ts';
import { failureFields } from '../observe/logs/log-fields.ts';
import { type MessageFacts, messageFacts, messageLogger } from '../observe/logs/message-logger.ts';
import { type MessageMetrics, type MetricUnit, metricNames } from '../observe/metrics/metric-names.ts';
import type { Attempt } from './attempt.ts';
import type { Delivery } from './delivery.ts';

export interface Reporter {
  readonly logger: MessageLogger;
  readonly delivery: Pick<Delivery, 'deadline' | 'metrics'>;
}

/** Tells the observers how an attempt ended. */
export async function report(
  attempt: Attempt,
  outcome: MessageReport['outcome'],
  saga?: SagaIdentity,
  error?: unknown,
): Promise<undefined> {
  const { flow, delivery, received, meter, startedAt } = attempt;
  const { onMessage, metrics } = flow.hooks;
  delivery.span?.noteOutcome(outcome, saga);
  if (onMessage === undefined && metrics === undefined && delivery.metrics === undefined) return;
  if (delivery.merges.length > 0) await reportMerges(attempt);
  const durationMs = flow.ports.clock.now().getTime() - startedAt.getTime();
  await observe(attempt, async () => {
    const isLateTimeout = outcome === 'discarded' && isTimeout(received);
    const add = adderOf(flow.hooks, delivery, received.type);
    add?.(metricNames[isLateTimeout ? 'timeoutDiscarded' : outcome], 'Count', 1);
    add?.(metricNames.duration, 'Milliseconds', durationMs);
    if (failureCode(error) === 'CompensationFailed') add?.(metricNames.compensationFailed, 'Count', 1);
    if (onMessage === undefined) return;
    const facts = messageFacts(flow.endpoint, received, saga);
    const told = {
      ...facts,
      outcome,
      capacity: meter.total,
      deliveryCapacity: delivery.meter.total,
      durationMs,
      ...(error === undefined ? {} : { error }),
    };
    await onMessage(told, { logger: messageLogger(flow.logger, facts) });
  });
}

const mergeMetrics = { merged: 'commitsMerged', refused: 'mergesRefused' } as const;

/** Reports the shared commits of a message that are not reported yet. */
export async function reportMerges(attempt: Attempt): Promise<void> {
  for (const outcome of attempt.delivery.merges.splice(0))
    await reportMetric(attempt, mergeMetrics[outcome], 'Count', 1);
}

/** Tells the observers what happened on the way. */
export async function reportEvent(hooks: FlowHooks, reporter: Reporter, event: FlowEvent): Promise<void> {
  await observe(reporter, async () => {
    adderOf(hooks, reporter.delivery, event.messageType)?.(metricNames[event.type], 'Count', 1);
    await hooks.onEvent?.(event, { logger: messageLogger(reporter.logger, factsOf(event)) });
  });
}

/** The facts of the message and saga of an event. */
function factsOf({
  endpoint,
  messageId,
  messageType,
  conversationId,
  sagaName,
  sagaId,
}: FlowEvent): MessageFacts {
  const saga = sagaName === undefined || sagaId === undefined ? {} : { sagaName, sagaId };
  return { endpoint, messageId, messageType, conversationId, ...saga };
}

/** Adds to a metric of the endpoint, beside outcomes and events. */
export async function reportMetric(
  attempt: Attempt,
  name: keyof typeof metricNames,
  unit: MetricUnit,
  value: number,
): Promise<void> {
  const { flow, delivery, received } = attempt;
  const add = adderOf(flow.hooks, delivery, received.type);
  if (add) await observe(attempt, async () => add(metricNames[name], unit, value));
}

/** The user's own metrics, else those that sagabox emits by itself. */
function adderOf(
  { metrics }: FlowHooks,
  { metrics: own }: Reporter['delivery'],
  messageType: string,
): MessageMetrics['addMetric'] | undefined {
  if (metrics) return (name, unit, value) => metrics.addMetric(name, unit, value);
  return own && ((name, unit, value) => own.add(name, unit, value, messageType));
}

/** Calls the observers. Their errors and delays fail no message: that would only deliver it again. */
async function observe({ logger, delivery }: Reporter, tell: () => Promise<void>): Promise<void> {
  try {
    await delivery.deadline.untilGiveUp(tell);
  } catch (error) {
    logger.error('An observer failed: onMessage, onEvent or metrics', failureFields(error));
  }
}
