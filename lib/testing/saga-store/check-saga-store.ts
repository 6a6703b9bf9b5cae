import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { aSagaStore } from '../../compose/custom-store-setting.ts';
import {
  aFunction,
  anyValue,
  aString,
  assertCheck,
  assertOptionKinds,
  trueOrFalse,
  withMethods,
} from '../../kernel/checks/checks.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import type { CustomSagaStore } from '../../saga/custom-store/custom-saga-store.dynamodb.ts';
import { CustomSagas } from '../../saga/custom-store/custom-sagas.dynamodb.ts';
import { defaultMapper, type StateMapper } from '../../saga/item/mapper.dynamodb.ts';
import { rulesOf } from './store-rules.ts';
import { StoredSagaUnderTest } from './stored-saga-under-test.ts';

export interface SagaStoreCheckOptions<State> {
  /** Two at least, each unlike the one before, as the handlers of a saga leave them one after another. */
  readonly states: readonly [State, State, ...State[]];
  /** Commits the writes: `client.send(new TransactWriteItemsCommand({ TransactItems }))`. */
  readonly transact: (TransactItems: TransactWriteItem[]) => Promise<unknown>;
  /** The name of the sagas. Each has an id of its own, which begins with a UUID. @default 'Checked' */
  readonly sagaName?: string;
  /**
   * Whether a commit is refused when another one has changed the saga since it was read. A store with
   * `keepsDetails` needs that.
   *
   * @default true
   */
  readonly hasConditions?: boolean;
  /** Whether sagas of the store end. @default true */
  readonly ends?: boolean;
  /** As `createHandler` gets it. @default - the one of sagabox */
  readonly mapper?: StateMapper;
}

const page = 'docs/guide/custom-saga-store.md';
const checks = {
  states: anyValue,
  transact: aFunction,
  sagaName: aString,
  hasConditions: trueOrFalse,
  ends: trueOrFalse,
  mapper: withMethods('toAttributes', 'fromAttributes'),
} satisfies Record<keyof Required<SagaStoreCheckOptions<unknown>>, unknown>;

/**
 * Starts, changes and ends sagas in a `sagaStore` of your own, on the table that it writes to, which should be on a
 * local engine: a conflict or a throttled call counts as a fault. The sagas are new, and ended afterwards if they can
 * be; what breaks a rule may leave items.
 *
 * @returns what sagabox expects of a store and this one does not do, in words; empty if there is nothing
 * @throws SagaboxError `Configuration` for options that cannot be used
 * @example
 * ```ts
 * import assert from 'node:assert';
 * import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
 * import type { CustomSagaStore } from 'sagabox';
 * import { checkSagaStore } from 'sagabox/testing';
 *
 * declare const accounts: CustomSagaStore<{ balance: number }>;
 * const client = new DynamoDBClient({ endpoint: 'http://127.0.0.1:8000' });
 *
 * const problems = await checkSagaStore(accounts, {
 *   states: [{ balance: 0 }, { balance: 30 }, { balance: 12 }],
 *   transact: (TransactItems) => client.send(new TransactWriteItemsCommand({ TransactItems })),
 * });
 * assert.deepEqual(problems, []);
 * ```
 */
export async function checkSagaStore<State>(
  store: CustomSagaStore<State>,
  options: SagaStoreCheckOptions<State>,
): Promise<string[]> {
  assertUsable(store, options);
  const { states, transact, sagaName: name = 'Checked', mapper = defaultMapper } = options;
  const { hasConditions = true, ends = true } = options;
  const sagas = new CustomSagas(store as CustomSagaStore, mapper);
  const { keepsDetails } = store;
  const problems: string[] = [];
  for (const { rule, check } of rulesOf({ states, keepsDetails, hasConditions, ends })) {
    const id = randomUUID();
    // A query by the beginning of a key would take one for the other.
    const [saga, other] = [id, `${id}-other`].map((each) => {
      return new StoredSagaUnderTest(sagas, { name, id: each }, transact);
    }) as [StoredSagaUnderTest, StoredSagaUnderTest];
    try {
      await check(saga, other);
    } catch (error) {
      problems.push(`${rule}: ${thrownMessage(error)}`);
    }
    // What is wrong with it is told by a rule.
    if (ends) await Promise.allSettled([saga.endIfThere(), other.endIfThere()]);
  }
  return problems;
}

function assertUsable(store: unknown, options: SagaStoreCheckOptions<unknown>): void {
  assertOptionKinds('checkSagaStore', options, checks, { page });
  assertCheck(aSagaStore, store, 'the store', page);
  const { states, transact, hasConditions = true } = options;
  if (transact === undefined) throw configurationError('transact', 'it is missing', `See ${page}`);
  const isWalk =
    Array.isArray(states) &&
    states.length > 1 &&
    states.every((state, index) => index === 0 || !isDeepStrictEqual(state, states[index - 1]));
  if (!isWalk)
    throw configurationError(
      'states',
      'they are not two or more, each unlike the one before',
      'Give it states as handlers leave them, one after another',
    );
  const { keepsDetails } = store as CustomSagaStore;
  if (keepsDetails && !hasConditions)
    throw configurationError(
      'hasConditions',
      'it is false, and the store keeps details, which two messages at once would overwrite',
      'Let the store write under a condition, or keep no details',
    );
}
