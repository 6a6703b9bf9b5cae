import { randomUUID } from 'node:crypto';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { CustomSagaStore } from '../../adapters/dynamodb/custom-store/custom-saga-store.ts';
import { CustomSagas } from '../../adapters/dynamodb/custom-store/custom-sagas.ts';
import { defaultMapper } from '../../adapters/dynamodb/saga/mapper.ts';
import { describeValue, isError } from '../../core/failures/thrown.ts';
import type { PendingTimeout } from '../../core/saga/pending-timeouts.ts';
import type { SagaCheck, SagaWrite, StoredSaga } from '../../core/saga/saga-state.ts';
import type { SagaIdentity } from '../../core/storage/keys.ts';

/** What a handler leaves of a saga. */
export interface LeftSaga {
  readonly state: unknown;
  readonly timeouts?: readonly PendingTimeout[];
  readonly stateVersion?: number;
}

/** One saga in a store of the user's. What goes wrong is thrown, in words. */
export class StoredSagaUnderTest {
  readonly #sagas: CustomSagas;
  readonly #saga: SagaIdentity;
  readonly #transact: (items: TransactWriteItem[]) => Promise<unknown>;

  constructor(
    store: CustomSagaStore,
    saga: SagaIdentity,
    transact: (items: TransactWriteItem[]) => Promise<unknown>,
  ) {
    this.#sagas = new CustomSagas(store, defaultMapper);
    this.#saga = saga;
    this.#transact = transact;
  }

  get hasVersions(): boolean {
    return this.#sagas.hasVersions;
  }

  async load(): Promise<StoredSaga | undefined> {
    const { stored } = await this.#sagas.load(this.#saga);
    return stored;
  }

  start({ timeouts = [], ...left }: LeftSaga): SagaWrite {
    return { kind: 'create', saga: this.#saga, timeouts, ...left };
  }

  change({ revision: read, createdAt }: StoredSaga, { timeouts = [], ...left }: LeftSaga): SagaWrite {
    return { kind: 'update', saga: this.#saga, read, createdAt, timeouts, ...left };
  }

  end({ revision: read }: StoredSaga): SagaWrite {
    return { kind: 'complete', saga: this.#saga, read };
  }

  /** @param stored undefined for a saga that was absent */
  check(stored: StoredSaga | undefined): SagaCheck {
    return { kind: 'check', saga: this.#saga, read: stored?.revision };
  }

  async commit(what: string, write: SagaWrite | SagaCheck): Promise<void> {
    const outcome = await this.#written(write);
    if (outcome === 'refused') throw new Error(`${what} is refused`);
  }

  async expectRefused(what: string, write: SagaWrite | SagaCheck): Promise<void> {
    const outcome = await this.#written(write);
    // A store may do without the check of a discard.
    const mayBe = write.kind === 'check' ? 'empty' : 'refused';
    if (outcome !== 'refused' && outcome !== mayBe) throw new Error(`${what} is committed`);
  }

  async expectAbsent(when: string): Promise<void> {
    const stored = await this.load();
    if (stored) throw new Error(`${when}, load returned ${describeValue(stored.readState())}`);
  }

  async expectStored(when: string, left: LeftSaga, version: number): Promise<StoredSaga> {
    const stored = await this.load();
    if (stored === undefined) throw new Error(`${when}, load returned no saga`);
    const expectSame = (what: string, found: unknown, expected: unknown, isSame: boolean) => {
      if (isSame) return;
      throw new Error(
        `${when}, load returned ${what} ${describeValue(found)}, not ${describeValue(expected)}`,
      );
    };
    const { state, timeouts = [], stateVersion } = left;
    expectSame('the state', stored.readState(), state, stored.isSame(state));
    if (!this.hasVersions) return stored;
    const { revision } = stored;
    expectSame('the version', revision.version, version, revision.version === version);
    const found = [stored.timeouts, stored.stateVersion];
    const expected = [timeouts, stateVersion];
    expectSame('other details', found, expected, JSON.stringify(found) === JSON.stringify(expected));
    return stored;
  }

  async endIfThere(): Promise<void> {
    const stored = await this.load();
    if (stored) await this.commit('its end', this.end(stored));
  }

  async #written(write: SagaWrite | SagaCheck): Promise<'committed' | 'refused' | 'empty'> {
    const items = this.#sagas.writesOf(write, randomUUID());
    if (items.length === 0) return 'empty';
    try {
      await this.#transact([...items]);
      return 'committed';
    } catch (error) {
      if (hasFailedCondition(error)) return 'refused';
      throw error;
    }
  }
}

function hasFailedCondition(error: unknown): boolean {
  if (!isError(error)) return false;
  const { CancellationReasons: reasons } = error as { CancellationReasons?: readonly { Code?: string }[] };
  return reasons?.some(({ Code }) => Code === 'ConditionalCheckFailed') === true;
}
