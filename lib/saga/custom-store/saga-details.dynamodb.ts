import { isJsonObject } from '../../kernel/values/value-kind.ts';
import type { PendingTimeout } from '../../sending/pending-timeouts.ts';
import type { SagaStateWrite } from '../saga-state.ts';
import { writtenVersion } from '../written-version.ts';
import type { SagaDetails } from './custom-saga-store.dynamodb.ts';

interface KnownDetails {
  readonly version: number;
  readonly commitId: string;
  /** @default - none are pending */
  readonly timeouts?: readonly PendingTimeout[];
  /** @default 1 */
  readonly stateVersion?: number;
}

/** The details of a saga whose store does not keep any. */
export const noDetails: KnownDetails = { version: 0, commitId: '' };

export function detailsOf(write: SagaStateWrite, commitId: string): SagaDetails {
  const { timeouts, stateVersion } = write;
  return {
    version: writtenVersion(write),
    commitId,
    ...(timeouts.length > 0 && { timeouts }),
    ...(stateVersion !== undefined && { stateVersion }),
  };
}

/** @returns the details, or the problem of details that {@link detailsOf} does not make */
export function readDetails(details: unknown): KnownDetails | string {
  if (!isJsonObject(details)) return 'details are missing, although the store keeps them';
  const {
    version,
    commitId,
    timeouts = [],
    stateVersion = 1,
  } = details as Record<keyof KnownDetails, unknown>;
  if (!isCount(version)) return 'details have no version';
  if (typeof commitId !== 'string' || commitId === '') return 'details have no commitId';
  if (!isCount(stateVersion)) return 'details have a stateVersion that is no whole number';
  if (!Array.isArray(timeouts) || !timeouts.every(isTimeout)) return 'details have damaged timeouts';
  return details as unknown as KnownDetails;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isTimeout(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { id, type, scheduled } = value as Record<keyof PendingTimeout, unknown>;
  return typeof id === 'string' && typeof type === 'string' && typeof scheduled === 'boolean';
}
