import { randomUUID } from 'node:crypto';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { CustomSagaStore } from '../../adapters/dynamodb/custom-store/custom-saga-store.ts';
import { configurationError } from '../../core/failures/errors.ts';
import { thrownMessage } from '../../core/failures/thrown.ts';
import { rulesOf } from './store-rules.ts';
import { StoredSagaUnderTest } from './stored-saga-under-test.ts';

export interface SagaStoreCheckOptions<State> {
  /** Two at least, each unlike the one before, as the handlers of a saga leave them one after another. */
  readonly states: readonly [State, State, ...State[]];
  /** Commits the writes: `client.send(new TransactWriteItemsCommand({ TransactItems }))`. */
  readonly transact: (TransactItems: TransactWriteItem[]) => Promise<unknown>;
  /** The name of the sagas. Each has an id of its own, a UUID. @default 'Checked' */
  readonly sagaName?: string;
  /** Whether a commit is refused when another one has changed the saga since it was read. @default true */
  readonly hasConditions?: boolean;
  /** Whether sagas of the store end. @default true */
  readonly ends?: boolean;
}

/**
 * Starts, changes and ends sagas in a `sagaStore` of your own, on the table that it writes to, which should be on a
 * local engine. The sagas are new, and those that can end are gone afterwards.
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
  const { states, transact, sagaName = 'Checked', hasConditions = true, ends = true } = options;
  if (!Array.isArray(states) || states.length < 2)
    throw configurationError('states', 'it needs two states at least', 'Give it states that handlers leave');
  const problems: string[] = [];
  for (const { rule, check } of rulesOf({ states, keepsDetails: store.keepsDetails, hasConditions, ends })) {
    const saga = new StoredSagaUnderTest(
      store as CustomSagaStore,
      { name: sagaName, id: randomUUID() },
      transact,
    );
    try {
      await check(saga);
      if (ends) await saga.endIfThere();
    } catch (error) {
      problems.push(`${rule}: ${thrownMessage(error)}`);
    }
  }
  return problems;
}
