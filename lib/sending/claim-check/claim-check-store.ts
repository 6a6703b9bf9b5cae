import { headerNames } from '../../messages/headers.ts';
import type { IncomingMessage, OutgoingOperation } from '../../messages/message.ts';
import {
  type ClaimCheck,
  type ClaimCheckStorage,
  claimCheckNotFound,
  claimCheckOf,
  isClaimCheckKey,
  readClaimCheck,
} from './claim-check.ts';
import type { ClaimChecks } from './claim-checks.ts';

/** The part of a claim check that does not depend on where the bodies are. */
export abstract class ClaimCheckStore implements ClaimChecks {
  protected readonly storage: ClaimCheckStorage;

  constructor(storage: ClaimCheckStorage) {
    this.storage = storage;
  }

  async store(
    operations: readonly OutgoingOperation[],
    signal?: AbortSignal,
  ): Promise<readonly OutgoingOperation[]> {
    const claimChecks = operations.map((operation) => claimCheckOf(operation, this.storage));
    const large = claimChecks.filter((claim) => claim !== undefined);
    if (large.length > 0) await this.put(large, signal);
    return operations.map((operation, index) => claimChecks[index]?.reference ?? operation);
  }

  async load(message: IncomingMessage, signal?: AbortSignal): Promise<IncomingMessage> {
    const key = message.headers[headerNames.claimCheck];
    if (key === undefined) return message;
    if (!isClaimCheckKey(key)) throw claimCheckNotFound(message.id, key, 'sagabox makes no such keys');
    const bytes = await this.get(key, message.id, signal);
    return { ...message, body: readClaimCheck(bytes, key, message.id) };
  }

  protected abstract put(claimChecks: readonly ClaimCheck[], signal?: AbortSignal): Promise<void>;

  /** @throws SagaboxError `ClaimCheckNotFound`, `ClaimCheckFailed` */
  protected abstract get(key: string, messageId: string, signal?: AbortSignal): Promise<Uint8Array>;
}
