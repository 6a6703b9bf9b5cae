import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import type { SagaIdentity } from '../dynamodb/keys.ts';
import type { FoundContribution } from './contribution.ts';

/** What messages have added beside their sagas. */
export interface Contributions {
  /**
   * All that were committed before the call, under one key of one saga, and maybe later ones.
   *
   * @param createdAt of the saga: one that was started anew under its id has others
   * @param atMost a hint: more will not be read
   * @throws SagaboxError `UnreadableItem`
   */
  find(
    saga: SagaIdentity,
    createdAt: Date,
    key: string,
    atMost: number,
    meter: CapacityMeter,
  ): AsyncIterable<FoundContribution>;
}
