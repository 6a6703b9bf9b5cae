import {
  type ClaimCheckStorage,
  claimCheckNotFound,
  claimCheckOf,
  isClaimCheckKey,
  readClaimCheck,
} from '../../core/claim-check/claim-check.ts';
import { headerNames } from '../../core/incoming/headers.ts';
import type { IncomingMessage, OutgoingOperation } from '../../core/incoming/message.ts';
import type { Destinations } from '../../core/outgoing/destination.ts';
import type { ClaimChecks } from '../../ports.ts';

export interface MemoryClaimChecksOptions {
  /** The endpoint that sends. */
  endpoint: string;
  /** Larger bodies, as JSON, are stored in the bucket. */
  thresholdBytes: number;
  /** What is too large for its destination is kept too. */
  destinations: Destinations;
  /**
   * The bodies by their keys, which several endpoints can share.
   *
   * @default - of its own
   */
  bodies?: Map<string, string>;
}

/** Keeps large bodies in memory. */
export class MemoryClaimChecks implements ClaimChecks {
  readonly bodies: Map<string, string>;
  readonly #storage: ClaimCheckStorage;

  constructor({ bodies = new Map(), ...storage }: MemoryClaimChecksOptions) {
    this.#storage = { bucketName: 'memory', ...storage };
    this.bodies = bodies;
  }

  async store(operations: readonly OutgoingOperation[]): Promise<readonly OutgoingOperation[]> {
    const claimChecks = operations.map((operation) => claimCheckOf(operation, this.#storage));
    for (const claim of claimChecks) if (claim) this.bodies.set(claim.key, claim.json);
    return operations.map((operation, index) => claimChecks[index]?.reference ?? operation);
  }

  async load(message: IncomingMessage): Promise<IncomingMessage> {
    const key = message.headers[headerNames.claimCheck];
    if (key === undefined) return message;
    if (!isClaimCheckKey(key)) {
      throw claimCheckNotFound(message.id, key, 'sagabox makes no such keys');
    }
    const json = this.bodies.get(key);
    if (json === undefined) throw claimCheckNotFound(message.id, key, 'there is none');
    return { ...message, body: readClaimCheck(Buffer.from(json), key, message.id) };
  }
}
