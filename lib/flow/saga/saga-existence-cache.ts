import type { ExpectedSaga } from '../../ports.ts';

/**
 * Whether a message that starts a saga is likely to find it there already: what the last one of its type
 * found. A wrong guess costs a refused write.
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
