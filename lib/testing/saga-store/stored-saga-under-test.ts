import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { describeValue, thrownMessage } from '../../kernel/errors/thrown.ts';
import type { CustomSagas } from '../../saga/custom-store/custom-sagas.dynamodb.ts';
import type { SagaCheck, SagaWrite, StoredSaga } from '../../saga/saga-state.ts';
import type { PendingTimeout } from '../../sending/pending-timeouts.ts';

/** What messages leave of a saga. */
export interface LeftSaga {
  readonly state: unknown;
  readonly timeouts?: readonly PendingTimeout[];
  readonly stateVersion?: number;
  /** How many messages of one batch. @default 1 */
  readonly changes?: number;
}

type Transact = (items: TransactWriteItem[]) => Promise<unknown>;

/** One saga in a store of the user's. What the store does not do is thrown, in words. */
export class StoredSagaUnderTest {
  readonly #sagas: CustomSagas;
  readonly #saga: SagaIdentity;
  readonly #transact: Transact;

  constructor(sagas: CustomSagas, saga: SagaIdentity, transact: Transact) {
    this.#sagas = sagas;
    this.#saga = saga;
    this.#transact = transact;
  }

  async start(left: LeftSaga): Promise<StoredSaga> {
    return await this.#leave('its start', this.#startOf(left), { ...left, version: left.changes ?? 1 });
  }

  async change(read: StoredSaga, left: LeftSaga): Promise<StoredSaga> {
    const version = read.revision.version + (left.changes ?? 1);
    return await this.#leave('a change', this.#changeOf(read, left), { ...left, version });
  }

  async end(read: StoredSaga): Promise<void> {
    await this.#commit('its end', this.#endOf(read));
    await this.expectAbsent('after its end');
  }

  /** @param read undefined for a saga that was absent */
  async check(read: StoredSaga | undefined): Promise<void> {
    await this.#commit(`the check that it is ${read ? 'as read' : 'absent'}`, this.#checkOf(read));
  }

  async refuseStart(left: LeftSaga): Promise<void> {
    await this.#refuse('a second start', this.#startOf(left));
    await this.#refuse('the check that it is absent', this.#checkOf(undefined));
  }

  /** @param when it is tried on what was read before */
  async refuseWrites(when: string, read: StoredSaga, left: LeftSaga, ends: boolean): Promise<void> {
    await this.#refuse(`a change ${when}`, this.#changeOf(read, left));
    if (ends) await this.#refuse(`its end ${when}`, this.#endOf(read));
    await this.#refuse(`the check ${when} that it is as read`, this.#checkOf(read));
  }

  async expectAbsent(when: string): Promise<void> {
    const stored = await this.#load();
    if (stored) throw new Error(`${when}, load returned ${describeValue(stored.readState())}`);
  }

  async expectStored(when: string, state: unknown): Promise<StoredSaga> {
    const stored = await this.#load();
    if (stored === undefined) throw new Error(`${when}, load returned no saga`);
    if (!stored.isSame(state)) throw differs(when, 'the state', stored.readState(), state);
    return stored;
  }

  async endIfThere(): Promise<void> {
    const stored = await this.#load();
    if (stored) await this.#written(this.#endOf(stored));
  }

  async #load(): Promise<StoredSaga | undefined> {
    const { stored } = await this.#sagas.load(this.#saga);
    return stored;
  }

  #startOf({ timeouts = [], ...left }: LeftSaga): SagaWrite {
    return { kind: 'create', saga: this.#saga, timeouts, ...left };
  }

  #changeOf({ revision: read, createdAt }: StoredSaga, { timeouts = [], ...left }: LeftSaga): SagaWrite {
    return { kind: 'update', saga: this.#saga, read, createdAt, timeouts, ...left };
  }

  #endOf({ revision: read }: StoredSaga): SagaWrite {
    return { kind: 'complete', saga: this.#saga, read };
  }

  #checkOf(read: StoredSaga | undefined): SagaCheck {
    return { kind: 'check', saga: this.#saga, read: read?.revision };
  }

  async #leave(
    what: string,
    write: SagaWrite,
    { state, timeouts = [], stateVersion, version }: LeftSaga & { readonly version: number },
  ): Promise<StoredSaga> {
    const commitId = await this.#commit(what, write);
    const stored = await this.expectStored(`after ${what}`, state);
    if (!this.#sagas.hasVersions) return stored;
    const found = { ...stored.revision, timeouts: stored.timeouts, stateVersion: stored.stateVersion };
    const expected = { version, commitId, timeouts, stateVersion };
    if (isDeepStrictEqual(found, expected)) return stored;
    throw differs(`after ${what}`, 'the details', found, expected);
  }

  /** @returns its id */
  async #commit(what: string, write: SagaWrite | SagaCheck): Promise<string> {
    const commitId = randomUUID();
    const outcome = await this.#written(write, commitId);
    if (outcome === 'refused') throw new Error(`${what} is refused`);
    return commitId;
  }

  async #refuse(what: string, write: SagaWrite | SagaCheck): Promise<void> {
    const outcome = await this.#written(write);
    // A store may do without the check of a discard.
    const mayBe = write.kind === 'check' ? 'empty' : 'refused';
    if (outcome !== 'refused' && outcome !== mayBe) throw new Error(`${what} is committed`);
  }

  async #written(
    write: SagaWrite | SagaCheck,
    commitId: string = randomUUID(),
  ): Promise<'committed' | 'refused' | 'empty'> {
    const items = this.#sagas.writesOf(write, commitId);
    if (items.length === 0) return 'empty';
    try {
      await this.#transact([...items]);
      return 'committed';
    } catch (error) {
      if (hasFailedCondition(error)) return 'refused';
      throw new Error(`transact failed: ${thrownMessage(error)}`, { cause: error });
    }
  }
}

function differs(when: string, what: string, found: unknown, expected: unknown): Error {
  return new Error(`${when}, load returned ${what} ${describeValue(found)}, not ${describeValue(expected)}`);
}

/** What the SDK throws. */
interface CancelledTransaction {
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

function hasFailedCondition(error: unknown): boolean {
  // Not `instanceof`: a test runner may load the client outside of the realm of the tests.
  const { CancellationReasons: reasons } = (error ?? {}) as CancelledTransaction;
  return reasons?.some(({ Code }) => Code === 'ConditionalCheckFailed') === true;
}
