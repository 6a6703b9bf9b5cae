import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import type { SagaIdentity } from '../dynamodb/keys.ts';
import type { SagaItem } from './item/saga-item.ts';
import type { StoredSaga } from './saga-state.ts';

export interface SagaStore {
  /** Whether each change gives a saga another version, for its messages to carry. @default true */
  readonly hasVersions?: boolean;
  load(saga: SagaIdentity, meter: CapacityMeter, certainty?: LoadCertainty): Promise<LoadedSaga>;
}

export interface LoadedSaga {
  readonly stored: StoredSaga | undefined;
  /** Also of a saga that has ended, if it has left a tombstone. */
  readonly item: SagaItem | undefined;
}

/**
 * What must be certain where reads may be old. `none`: the commit checks the version anyway. `absence`: a
 * saga that is not found is not there. `all`: what is found is the latest.
 */
export type LoadCertainty = 'none' | 'absence' | 'all';
