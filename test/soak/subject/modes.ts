import type { Locking } from 'sagabox';
import type { SagaOutboxForm } from '../../../lib/saga/definition/outbox-form.ts';

/**
 * Those of sagas with an embedded outbox are named by it: their reads are eventually consistent without a lease.
 * Sagas of two modes are led from one outbox form to the other, and back. Those of the last are in a store of the
 * user's own.
 */
export const modes = [
  'optimistic',
  'eventual',
  'pessimistic',
  'embedded',
  'embeddedPessimistic',
  'forward',
  'back',
  'ownStore',
] as const;
export type Mode = (typeof modes)[number];

/** Short, so that what a killed worker had locked is free again soon; and some handlers take longer. */
export const leaseDurationMs = 1500;

const pessimistic: Locking = {
  mode: 'pessimistic',
  leaseDuration: { milliseconds: leaseDurationMs },
  leaseAcquisitionTimeout: { seconds: 3 },
  minRefreshDelay: { milliseconds: 20 },
  maxRefreshDelay: { milliseconds: 100 },
};

export const lockings: Readonly<Record<Mode, Locking>> = {
  optimistic: { mode: 'optimistic' },
  eventual: { mode: 'optimistic', consistentRead: false },
  pessimistic,
  embedded: { mode: 'optimistic' },
  embeddedPessimistic: pessimistic,
  forward: { mode: 'optimistic' },
  back: pessimistic,
  ownStore: { mode: 'optimistic' },
};

/** One follows the other after a deduplication period. */
export const releasesPerRound = 2;

/** Of a worker that is a deployment behind, and of one beside it that is not. */
type Neighbours = readonly [behind: SagaOutboxForm, ahead: SagaOutboxForm];

const alone = (form: SagaOutboxForm): readonly Neighbours[] => [[form, form]];

/** In each release of a round; one is for all. */
const outboxForms: Readonly<Record<Mode, readonly Neighbours[]>> = {
  optimistic: alone('records'),
  eventual: alone('records'),
  pessimistic: alone('records'),
  embedded: alone('embedded'),
  embeddedPessimistic: alone('embedded'),
  forward: [
    ['records', 'both'],
    ['both', 'embedded'],
  ],
  back: [
    ['embedded', 'both'],
    ['both', 'records'],
  ],
  ownStore: alone('records'),
};

export function changesForm(mode: Mode): boolean {
  return outboxForms[mode].length > 1;
}

export function isEverEmbedded(mode: Mode): boolean {
  return outboxForms[mode].flat().includes('embedded');
}

/** @param release of a round, counted from 0 */
export function outboxForm(mode: Mode, release: number, isAhead: boolean): SagaOutboxForm {
  const neighbours = outboxForms[mode];
  return neighbours[release % neighbours.length]?.[Number(isAhead)] ?? 'records';
}
