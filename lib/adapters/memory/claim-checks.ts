import {
  type ClaimStorage,
  claimNotFound,
  claimOf,
  isClaimKey,
  readClaim,
} from '../../core/claim-check/claim.ts';
import { headerNames } from '../../core/incoming/headers.ts';
import type { IncomingMessage, OutgoingOperation } from '../../core/incoming/message.ts';
import type { Destinations } from '../../core/outgoing/destination.ts';
import type { ClaimChecks } from '../../ports.ts';

export interface MemoryClaimChecksOptions {
  /** The endpoint that sends. */
  endpoint: string;
  /** Larger bodies, as JSON, are put aside. */
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
  readonly #storage: ClaimStorage;

  constructor({ bodies = new Map(), ...storage }: MemoryClaimChecksOptions) {
    this.#storage = { bucketName: 'memory', ...storage };
    this.bodies = bodies;
  }

  async deposit(operations: readonly OutgoingOperation[]): Promise<readonly OutgoingOperation[]> {
    const claims = operations.map((operation) => claimOf(operation, this.#storage));
    for (const claim of claims) if (claim) this.bodies.set(claim.key, claim.json);
    return operations.map((operation, index) => claims[index]?.reference ?? operation);
  }

  async redeem(message: IncomingMessage): Promise<IncomingMessage> {
    const key = message.headers[headerNames.claimCheck];
    if (key === undefined) return message;
    if (!isClaimKey(key)) {
      throw claimNotFound(message.id, key, 'sagabox makes no such keys');
    }
    const json = this.bodies.get(key);
    if (json === undefined) throw claimNotFound(message.id, key, 'there is none');
    return { ...message, body: readClaim(Buffer.from(json), key, message.id) };
  }
}
