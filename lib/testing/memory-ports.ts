import type { Ports } from '../attempt/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import type { SagaRules } from '../saga/definition/define-saga.ts';
import { defaultMapper, type StateMapper } from '../saga/item/mapper.dynamodb.ts';
import type { Dispatcher } from '../sending/dispatcher.ts';
import type { Sending } from '../sending/sending.ts';
import { MemoryClaimChecks } from './memory/claim-checks.ts';
import { MemoryContributions } from './memory/contributions.ts';
import { MemoryOutboxStore } from './memory/outbox-store.ts';
import { MemoryRequestLeases } from './memory/request-leases.ts';
import type { MemoryStorage } from './memory/storage.ts';
import type { TestTables } from './tables/test-tables.ts';
import { embeddedSagas, MappedCommitter, mappedSagas } from './test-stores.ts';

/** What the ports of an endpoint in memory stand on. */
export interface MemoryParts {
  readonly endpoint: string;
  /** Endpoints may share it, as they may share tables. */
  readonly storage: MemoryStorage;
  /** Of the user's own. */
  readonly tables: TestTables;
  readonly mapper?: StateMapper | undefined;
  readonly sending: Sending;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** Of claim checks; endpoints may share them, as they may share a bucket. */
  readonly bodies?: Map<string, string>;
}

/** @param saga of the flow that they are for */
export function memoryPorts(
  { endpoint, storage, tables, mapper = defaultMapper, sending, dispatcher, clock, bodies }: MemoryParts,
  saga: SagaRules | undefined,
): Ports {
  const { claimCheckThresholdBytes: thresholdBytes, destinations } = sending;
  const outbox = new MemoryOutboxStore(storage, endpoint);
  return {
    sagas: mappedSagas(storage, mapper, saga?.compressesState),
    embedded: embeddedSagas(storage),
    contributions: new MemoryContributions(storage),
    outbox,
    requestLeases: new MemoryRequestLeases(storage, endpoint, outbox, clock),
    committer: new MappedCommitter(storage, mapper, endpoint, saga?.compressesState, tables),
    dispatcher,
    ...(thresholdBytes && {
      claimChecks: new MemoryClaimChecks({
        endpoint,
        thresholdBytes,
        destinations,
        ...(bodies && { bodies }),
      }),
    }),
    clock,
  };
}
