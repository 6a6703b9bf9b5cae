import { sagaKey } from '../dynamodb/keys.ts';
import { configurationError } from '../kernel/errors/errors.ts';
import { describeValue } from '../kernel/errors/thrown.ts';
import type { SagaRules } from '../saga/definition/define-saga.ts';
import { outboxForm } from '../saga/definition/outbox-form.ts';
import type { StateMapper } from '../saga/item/mapper.dynamodb.ts';
import { stateAttributes } from '../saga/item/read-saga-item.dynamodb.ts';
import type { MemorySaga, MemorySagaItem, MemoryStorage } from './memory/storage.ts';
import type { SagaTestOptions } from './test-options.ts';

/**
 * Stores what a test says was there before it.
 *
 * @throws SagaboxError `Configuration`, `UnsupportedState`
 */
export function storeSagas(
  storage: MemoryStorage,
  mapper: StateMapper,
  rules: SagaRules,
  sagas: SagaTestOptions['sagas'] = {},
  createdAt: Date,
  endpoint: string,
): void {
  for (const [id, given] of Object.entries(sagas)) {
    const { state, stateVersion = rules.stateVersion ?? 1 } = Object(given);
    assertVersion(id, stateVersion);
    const saga = { name: rules.name, id };
    const stored = {
      state: stateAttributes(mapper, { saga, state }),
      stateVersion,
      revision: { version: 1, commitId: storage.newCommitId() },
      createdAt,
      updatedAt: createdAt,
      timeouts: [],
    };
    const { partition } = sagaKey(saga);
    if (outboxForm(rules) === 'embedded') storage.embedded.set(partition, newItem(endpoint, stored));
    else storage.sagas.set(partition, stored);
  }
}

function newItem(endpoint: string, saga: MemorySaga): MemorySagaItem {
  return {
    schema: 'embedded',
    endpoint,
    revision: saga.revision,
    isTombstone: false,
    inbox: undefined,
    pending: new Map(),
    updatedAt: saga.createdAt,
    hasTimeouts: false,
    isOverflowed: false,
    bytes: 0,
    saga,
  };
}

function assertVersion(id: string, stateVersion: unknown): void {
  if (Number.isSafeInteger(stateVersion) && (stateVersion as number) > 0) return;
  const setting = `the test kit: sagas['${id}'].stateVersion`;
  throw configurationError(
    setting,
    `${describeValue(stateVersion)} is no whole number from 1`,
    'Use 1, 2, …',
  );
}
