import type { ExpectedSaga } from '../../ports.ts';

/**
 * Predicts whether a message that starts a saga finds it there already, from the last message of its type. A
 * wrong guess costs a refused write.
 */
export class SagaExistenceCache {
  readonly #lastFound = new Map<string, ExpectedSaga>();

  of(messageType: string): ExpectedSaga {
    return this.#lastFound.get(messageType) ?? 'new';
  }

  remember(messageType: string, found: ExpectedSaga): void {
    this.#lastFound.set(messageType, found);
  }
}
