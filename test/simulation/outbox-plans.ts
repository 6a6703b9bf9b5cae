import type { SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';

/** The forms that workers have side by side. */
type Neighbours = readonly [SagaOutboxForm, ...SagaOutboxForm[]];

/**
 * What is deployed, one after another. Nothing else than `both` is left behind, or comes to it, without the wait for a
 * deduplication period and a run of the relay.
 */
export const outboxPlans = {
  records: [['records']],
  both: [['both']],
  embedded: [['embedded']],
  'records+both': [['records', 'both']],
  'both+embedded': [['both', 'embedded']],
  forward: [['records'], ['records', 'both'], ['both'], ['both', 'embedded'], ['embedded']],
  back: [['embedded'], ['both', 'embedded'], ['both'], ['records', 'both'], ['records']],
  // Without the wait: what the items themselves tell has to do, so that messages that leave none are left out.
  forwardUnwaited: [['records'], ['records', 'both'], ['both', 'embedded'], ['embedded']],
  backUnwaited: [['embedded'], ['both', 'embedded'], ['records', 'both'], ['records']],
} as const satisfies Record<string, readonly Neighbours[]>;

export type OutboxPlan = keyof typeof outboxPlans;

export function isWaitedFor(plan: OutboxPlan): boolean {
  return plan !== 'forwardUnwaited' && plan !== 'backUnwaited';
}

export const planNames = Object.keys(outboxPlans) as readonly OutboxPlan[];

export function phasesOf(plan: OutboxPlan): readonly Neighbours[] {
  return outboxPlans[plan];
}
