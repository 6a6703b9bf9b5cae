import { defaultMapper, type StateMapper } from '../adapters/dynamodb/saga/mapper.ts';
import { MemoryClaimChecks } from '../adapters/memory/claim-checks.ts';
import { MemoryContributions } from '../adapters/memory/contributions.ts';
import { MemoryOutboxStore } from '../adapters/memory/outbox-store.ts';
import { MemoryRequestLeases } from '../adapters/memory/request-leases.ts';
import type { MemoryStorage } from '../adapters/memory/storage.ts';
import type { Sending } from '../core/outgoing/sending.ts';
import type { SagaRules } from '../core/saga/define-saga.ts';
import type { Clock } from '../ports/clock.ts';
import type { Dispatcher } from '../ports/dispatcher.ts';
import type { Ports } from '../ports.ts';
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
