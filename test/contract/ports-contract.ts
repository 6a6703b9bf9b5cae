import type { StorePorts } from '../support/dynamodb-ports.ts';
import { describeAtomicity } from './atomicity.ts';
import { describeDiscards } from './discards.ts';
import { describeIdentity } from './identity.ts';
import { describeOutbox } from './outbox.ts';
import { describeResponses } from './responses.ts';
import { describeSagaConcurrency } from './saga-concurrency.ts';
import { describeSagaState } from './saga-state.ts';

/** Stores to hold to the contract, empty at first. */
export interface ContractSubject {
  /**
   * The ports of one endpoint; all endpoints share the stores. @param compressesState by default not
   */
  ports(endpoint: string, compressesState?: boolean): StorePorts;
  /** The table of the writes that a handler adds. */
  readonly userTable: string;
  /** The partition keys of the writes of handlers that were committed, sorted. */
  committedUserKeys(): Promise<string[]>;
}

/** A fresh subject for each test. */
export type OpenSubject = () => Promise<ContractSubject>;

/** What every implementation of SagaStore, OutboxStore and Committer does. */
export const portsContract = {
  sagaConcurrency: describeSagaConcurrency,
  sagaState: describeSagaState,
  outbox: describeOutbox,
  responses: describeResponses,
  atomicity: describeAtomicity,
  discards: describeDiscards,
  identity: describeIdentity,
} as const;

export function describePortsContract(open: OpenSubject): void {
  for (const describePart of Object.values(portsContract)) describePart(open);
}
